package io.taskmaster.cli;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.proxy.logging.Logs;
import io.taskmaster.server.FakeNode;
import io.taskmaster.server.cli.ServerProvider;
import java.util.List;

/** The program with a fake node, for tests of the process around it. */
final class FakeNodeProgram {

    private FakeNodeProgram() {}

    public static void main(String[] args) {
        Logs.forCommand();
        System.exit(new Commands(Terminal.system(), List.of(new ServerProvider((_, _) -> new FakeNode(4)))).run(args));
    }
}
