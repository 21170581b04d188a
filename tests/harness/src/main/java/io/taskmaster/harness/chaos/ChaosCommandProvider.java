package io.taskmaster.harness.chaos;

import io.taskmaster.cli.CommandProvider;

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
