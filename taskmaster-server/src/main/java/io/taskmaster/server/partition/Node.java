package io.taskmaster.server.partition;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Command;
import io.taskmaster.server.engine.command.Reply;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.engine.rank.QueueScan;
import io.taskmaster.server.health.NodeHealth;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * The partitions of this process behind one interface, for the RPC endpoint, tests and benchmarks. Thread-safe;
 * {@link #submit} never blocks.
 */
public interface Node extends AutoCloseable {

    /** The number of partitions. */
    int partitions();

    /** Submits a command to the partition of its group. The sink is called exactly once. */
    void submit(GroupName group, Command command, ReplySink sink);

    /**
     * Returns the flow of tasks through a partition, as far as it is in memory; an empty snapshot while it does not
     * serve. A snapshot may include changes that are not durable yet. Like all read-only operations it fails if the
     * node is closed meanwhile.
     */
    default CompletableFuture<FlowSnapshot> flow(int partition) {
        return CompletableFuture.completedFuture(FlowSnapshot.NONE);
    }

    /**
     * Returns the result of a walk over a partition's queues; empty while it does not serve. The result may include
     * changes that are not durable yet. Cancelling the future ends the walk.
     *
     * @param begin makes the walk from the partition's time, in milliseconds since 1970
     */
    default <A> CompletableFuture<Optional<A>> walk(int partition, LongFunction<? extends QueueScan<A>> begin) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /**
     * Returns the number of these queues of one group that were deleted and still have rows to be cleared away. Fails
     * while their partition does not serve.
     */
    default CompletableFuture<Integer> uncleared(GroupName group, Collection<QueueKey> queues) {
        return CompletableFuture.completedFuture(0);
    }

    /** Submits a command to one partition, for commands that go to all of them. */
    void submit(int partition, Command command, ReplySink sink);

    /** Stops admitting, answers what is in flight, writes dirty state, and closes the store. Idempotent; blocks. */
    @Override
    void close();

    /** Returns the health of the node as of a moment ago. Never blocks. */
    default NodeHealth health() {
        return NodeHealth.SERVING;
    }

    /**
     * Registers a listener for changes of {@link #health}.
     *
     * @param changed called whenever the health may have changed, from any thread; must be short
     */
    default void followHealth(Runnable changed) {}

    /**
     * Returns a future that completes, with the reason, once another node owns the partitions or this process can no
     * longer use the store. The node then cannot answer any more and must be closed.
     */
    default CompletableFuture<Throwable> lost() {
        return new CompletableFuture<>();
    }

    /**
     * Stops as a crash would: answers no request any more, writes nothing more, and closes the store. Idempotent;
     * blocks.
     */
    void abandon();

    /**
     * The receiver of an answer. Called on a partition's loop thread or off it, on the submitter's thread if refused at
     * once, or off the loops if the answers of all partitions were merged: must be short.
     */
    interface ReplySink {

        /** Receives the durable answer. */
        void reply(Reply reply);

        /** Receives the error; its code tells if the command may have taken effect. */
        void fail(TaskMasterException error);

        /**
         * Receives the answer that will follow if it becomes durable: commands that are submitted from here on are
         * decided after this one. Called on a partition's loop thread or off it, at most once, before the answer; for
         * commands that change something or lease.
         */
        default void decided(Reply reply) {}

        /**
         * Notifies that the command waits: a long poll.
         *
         * @param cancel ends the wait; may be called from any thread, at any time, any number of times
         */
        default void waits(Runnable cancel) {}

        /** Returns true if the command yields to interactive work. */
        default boolean isBulk() {
            return false;
        }

        /** Returns the name of the caller for round-robin between callers: equal for all commands of one caller. */
        default String caller() {
            return "";
        }

        /** Returns true once the caller is gone: its long poll then ends. Called now and then, from any thread. */
        default boolean isCancelled() {
            return false;
        }
    }
}
