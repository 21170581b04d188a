package io.taskmaster.server.cli;

import io.taskmaster.cli.CommandProvider;
import io.taskmaster.cli.CommandSection;
import io.taskmaster.server.NodeFactory;
import io.taskmaster.server.Nodes;

/** The command {@code server}, for {@code taskmaster}. Immutable. */
public final class ServerProvider implements CommandProvider {

    private final NodeFactory nodes;

    /** Creates the command of servers on the stores of their settings. */
    public ServerProvider() {
        this(Nodes.factory());
    }

    /** Creates the command of servers on these nodes. */
    public ServerProvider(NodeFactory nodes) {
        this.nodes = nodes;
    }

    @Override
    public String name() {
        return "server";
    }

    @Override
    public CommandSection section() {
        return CommandSection.SERVER;
    }

    @Override
    public Object command() {
        return new ServerCommand(nodes);
    }
}
