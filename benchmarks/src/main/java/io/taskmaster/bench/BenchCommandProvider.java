package io.taskmaster.bench;

import io.taskmaster.cli.CommandProvider;

/** The provider that adds {@code bench} to the program {@code taskmaster}. */
public final class BenchCommandProvider implements CommandProvider {

    @Override
    public String name() {
        return "bench";
    }

    @Override
    public Object command() {
        return new BenchCommand();
    }
}
