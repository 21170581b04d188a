package io.taskmaster.examples.crawl;

import io.taskmaster.server.cli.CommandProvider;

/** Brings the demo to the command line. */
public final class DemoProvider implements CommandProvider {

    @Override
    public String name() {
        return "demo";
    }

    @Override
    public Object command() {
        return new DemoCommand();
    }
}
