package io.taskmaster.examples;

import io.taskmaster.cli.CommandProvider;

/** The provider of the demo command to the command line. */
public final class DemoCommandProvider implements CommandProvider {

    @Override
    public String name() {
        return "demo";
    }

    @Override
    public Object command() {
        return Demos.commandLine();
    }
}
