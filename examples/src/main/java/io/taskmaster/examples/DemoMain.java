package io.taskmaster.examples;

import io.taskmaster.server.logging.Logs;

/** The main class of the demos, as which their child processes are started. */
public final class DemoMain {

    private DemoMain() {}

    public static void main(String[] args) {
        Logs.forCommand();
        System.exit(Demos.commandLine().execute(args));
    }
}
