package io.taskmaster.cli;

/** A command that another module adds to {@code taskmaster}; found with {@link java.util.ServiceLoader}. */
public interface CommandProvider {

    /** The word after {@code taskmaster}. */
    String name();

    /** The section of the usage text that lists it. */
    default CommandSection section() {
        return CommandSection.DEVELOPMENT;
    }

    /** Returns a new object with picocli's annotations. Its result, or exception, becomes the exit status. */
    Object command();
}
