package io.taskmaster.examples.crawl;

import picocli.CommandLine;

/** The demo as a program of its own, as which its child processes are started. */
public final class DemoMain {

    private DemoMain() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new DemoCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }
}
