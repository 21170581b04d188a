package io.taskmaster.server.partition;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.engine.Walk;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.health.NodeHealth;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * All partitions of this process, behind one door: what the RPC face, the tests and the benchmarks talk to. Thread-safe;
 * {@link #submit} never blocks.
 */
public interface Node extends AutoCloseable {

    /** How many partitions there are. */
    int partitions();

    /** Hands a command to the partition of its group. The sink is called exactly once. */
    void submit(GroupName group, Command command, ReplySink sink);

    /**
     * How tasks flow through a partition, as far as it knows; nothing while it does not serve. Soft: it may be of what is not durable yet. Like all that looks, it fails if the node
     * is closed meanwhile.
     */
    default CompletableFuture<FlowSnapshot> flow(int partition) {
        return CompletableFuture.completedFuture(FlowSnapshot.NONE);
    }

    /**
     * What somebody finds who looks at a partition's queues; nothing while it does not serve. As soft as the flow. Who cancels it has the walk end.
     *
     * @param begin makes the walk, by what time it is there, in milliseconds since 1970
     */
    default <A> CompletableFuture<Optional<A>> walk(int partition, LongFunction<? extends Walk<A>> begin) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /**
     * How many of these queues of one group were deleted and have rows that are not cleared away yet. Fails while their partition does not serve.
     */
    default CompletableFuture<Integer> uncleared(GroupName group, Collection<QueueKey> queues) {
        return CompletableFuture.completedFuture(0);
    }

    /** Hands a command to one partition, for commands that go to all of them. */
    void submit(int partition, Command command, ReplySink sink);

    /** Stops admitting, answers what is in flight, writes what is dirty, and lets go of the store. Idempotent; blocks. */
    @Override
    void close();

    /** Whether it serves, as of a moment ago. Never blocks. */
    default NodeHealth health() {
        return NodeHealth.SERVING;
    }

    /**
     * From now on, calls this whenever {@link #health} may have changed.
     *
     * @param changed called from any thread; must be short
     */
    default void followHealth(Runnable changed) {}

    /**
     * Complete, with the reason, once another node has the partitions, or the store cannot be used by this process any more: this node can answer
     * nothing any more, and is to be closed.
     */
    default CompletableFuture<Throwable> lost() {
        return new CompletableFuture<>();
    }

    /** Stops as a crash would: answers nobody any more, writes nothing more, and lets go of the store. Idempotent; blocks. */
    void abandon();

    /**
     * Where an answer goes. Called on a partition's loop thread or beside it, on the submitter's when refused at once, or beside the loops when the
     * answers of all partitions were merged: must be short.
     */
    interface ReplySink {

        /** The durable answer. */
        void reply(Reply reply);

        /** The error; see its code for whether anything may have happened. */
        void fail(TaskMasterException error);

        /**
         * What the answer is going to be, if it becomes durable: commands that are submitted from here on are decided after this one.
         * Called on a partition's loop thread or beside it, at most once, before the answer; for commands that change something or lease.
         */
        default void decided(Reply reply) {}

        /**
         * The command waits for something to happen.
         *
         * @param cancel ends the wait; may be called from any thread, at any time, any number of times
         */
        default void waits(Runnable cancel) {}

        /** Whether the command yields to interactive work. */
        default boolean isBulk() {
            return false;
        }

        /** Who is served in turn with others: commands of one caller have equal ones. */
        default String caller() {
            return "";
        }

        /** The caller went away: a wait that nobody waits for any more ends. Asked now and then, from any thread. */
        default boolean isCancelled() {
            return false;
        }
    }
}
