package io.taskmaster.cli;

/** The sections of the list of commands, in their order. */
public enum CommandSection {
    /** Commands on single tasks. */
    TASKS("Tasks"),
    /** Commands on queues as a whole. */
    QUEUES("Queues"),
    /** Live displays. */
    MONITORING("Monitoring"),
    /** Commands that move tasks between servers and files. */
    ARCHIVES("Export and import"),
    /** The server, and its access. */
    SERVER("Server"),
    /** Demos, benchmarks and tests. */
    DEVELOPMENT("Demos and development"),
    /** Help on the command line itself. */
    HELP("Help");

    private final String title;

    CommandSection(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
