package io.taskmaster.server.cli;

import io.taskmaster.server.FakeNode;
import io.taskmaster.server.cli.common.Terminal;
import io.taskmaster.server.logging.Logs;

/** The program with a fake node, for tests of the process around it. */
final class FakeServer {

    private FakeServer() {}

    public static void main(String[] args) {
        Logs.forCommand();
        System.exit(new Commands(Terminal.system(), (_, _) -> new FakeNode(4)).run(args));
    }
}
