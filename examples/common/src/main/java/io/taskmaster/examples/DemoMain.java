package io.taskmaster.examples;

import io.taskmaster.proxy.logging.Logs;

/** The main class of the processes that demos start: workers and the server. */
public final class DemoMain {

    private DemoMain() {}

    public static void main(String[] args) {
        Logs.forCommand();
        System.exit(Demos.commandLine().execute(args));
    }
}
