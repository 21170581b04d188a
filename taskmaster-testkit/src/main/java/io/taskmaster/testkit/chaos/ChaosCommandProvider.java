package io.taskmaster.testkit.chaos;

import io.taskmaster.server.cli.CommandProvider;

/** A provider of {@code chaos} for the program {@code taskmaster}. */
public final class ChaosCommandProvider implements CommandProvider {

    @Override
    public String name() {
        return "chaos";
    }

    @Override
    public Object command() {
        return new ChaosCommand();
    }
}
