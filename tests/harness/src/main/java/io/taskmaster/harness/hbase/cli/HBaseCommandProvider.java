package io.taskmaster.harness.hbase.cli;

import io.taskmaster.cli.CommandProvider;

/** A provider of {@code hbase} for the program {@code taskmaster}. */
public final class HBaseCommandProvider implements CommandProvider {

    @Override
    public String name() {
        return "hbase";
    }

    @Override
    public Object command() {
        return new HBaseCommand();
    }
}
