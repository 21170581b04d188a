package io.taskmaster.simulation;

import io.taskmaster.model.GroupName;
import io.taskmaster.model.Partitions;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.partition.Node;
import java.util.Optional;

/** A node in a process, where everything that is asked of its partitions is written down. Single-threaded. */
final class TappedNode implements Node {

    private final World world;
    private final OwnerProcess process;
    private final Node node;
    private final Journals journals;
    private int owed;

    TappedNode(World world, OwnerProcess process, Node node, Journals journals) {
        this.world = world;
        this.process = process;
        this.node = node;
        this.journals = journals;
    }

    /** How many commands are not answered. */
    int owed() {
        return owed;
    }

    @Override
    public int partitions() {
        return node.partitions();
    }

    @Override
    public void submit(GroupName group, Command command, ReplySink sink) {
        submit(Partitions.partitionOf(group, partitions()), command, sink);
    }

    @Override
    public void submit(int partition, Command command, ReplySink sink) {
        History history = journals.history(partition);
        Call call = new Call(
                world,
                history.size() + 1,
                () -> journals.holder(process, partition),
                command,
                answered -> {
                    owed--;
                    history.answered(answered);
                },
                Optional.of(sink));
        owed++;
        history.invoked(call);
        world.say(() -> "    " + call);
        node.submit(partition, command, call);
    }

    @Override
    public void close() {
        node.close();
    }
}
