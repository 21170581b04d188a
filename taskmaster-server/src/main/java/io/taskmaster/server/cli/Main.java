package io.taskmaster.server.cli;

import io.taskmaster.server.Nodes;
import io.taskmaster.server.cli.common.Terminal;
import io.taskmaster.server.logging.Logs;

/** The program {@code taskmaster}. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        Logs.forCommand();
        System.exit(new Commands(Terminal.system(), Nodes.factory()).run(args));
    }
}
