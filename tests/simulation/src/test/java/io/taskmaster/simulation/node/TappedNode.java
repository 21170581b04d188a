package io.taskmaster.simulation.node;

import io.taskmaster.command.Command;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Partitions;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.partition.Node;
import io.taskmaster.simulation.judge.Call;
import io.taskmaster.simulation.judge.History;
import io.taskmaster.simulation.world.OwnerProcess;
import io.taskmaster.simulation.world.World;
import java.util.Optional;

/**
 * A decorator of a node that records every command to its partitions and every answer. Single-threaded: owned by the
 * simulation.
 */
final class TappedNode implements Node {

    private final World world;
    private final OwnerProcess process;
    private final Node node;
    private final Journals journals;
    private int owed;
    private long lastStaleMicros = -1;
    private long lastUnseenLeaseMicros = -1;

    TappedNode(World world, OwnerProcess process, Node node, Journals journals) {
        this.world = world;
        this.process = process;
        this.node = node;
        this.journals = journals;
    }

    /** The number of commands without an answer. */
    int owed() {
        return owed;
    }

    /**
     * Returns whether the node has answered a call, since this time, from its memory of a partition that it did not own
     * any more. For reads it may: of two nodes at a time only one can change anything, but both can show what they have
     * in memory.
     */
    boolean isStaleSince(long micros) {
        return lastStaleMicros >= micros;
    }

    /**
     * Returns whether a lease of some partition has had an unknown outcome since this time. A lease over all groups
     * then returns the tasks of the other partitions; the leases of this one expire unseen.
     */
    boolean hasLeasedUnseenSince(long micros) {
        return lastUnseenLeaseMicros >= micros;
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
                    if (answered.reply().isPresent()
                            && !answered.needsTheLog()
                            && journals.isDeposed(process, partition)) {
                        lastStaleMicros = world.micros();
                    }
                    if (command instanceof Command.Lease
                            && answered.error()
                                    .filter(ErrorCode.OUTCOME_UNKNOWN::equals)
                                    .isPresent()) {
                        lastUnseenLeaseMicros = world.micros();
                    }
                },
                Optional.of(sink));
        owed++;
        history.invoked(call);
        world.log(() -> "    " + call);
        node.submit(partition, command, call);
    }

    @Override
    public void close() {
        node.close();
    }

    @Override
    public void abandon() {
        node.abandon();
    }
}
