package io.taskmaster.examples.crawl;

import io.taskmaster.server.logging.Logs;
import picocli.CommandLine;

/** The demo as a program of its own, as which its child processes are started. */
public final class DemoMain {

    private DemoMain() {}

    public static void main(String[] args) {
        Logs.forCommand();
        System.exit(new CommandLine(new DemoCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }
}
