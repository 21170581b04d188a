package io.taskmaster.server.partition;

import io.taskmaster.command.Ranking;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.health.NodeHealth;
import io.taskmaster.proxy.route.Router;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.engine.rank.QueueScan;
import io.taskmaster.server.engine.rank.RankScan;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * The partitions of this process behind one interface: a router to them, their health, and their end. Thread-safe;
 * {@link #submit} never blocks.
 */
public interface Node extends Router, AutoCloseable {

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
    default <A> CompletableFuture<Optional<A>> scan(int partition, LongFunction<? extends QueueScan<A>> begin) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    default CompletableFuture<Optional<Ranking.Page>> rank(int partition, Ranking.Question question) {
        return scan(partition, now -> new RankScan(question, now));
    }

    @Override
    default CompletableFuture<Integer> uncleared(GroupName group, Collection<QueueKey> queues) {
        return CompletableFuture.completedFuture(0);
    }

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
}
