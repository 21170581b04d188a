package io.taskmaster.server.insight;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.partition.ScatterGather;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The collection of a node's flow. Each partition reports on its loop, and the reports are summed up off the loop.
 * Concurrent callers share one collection. Thread-safe; never blocks.
 */
final class FlowLook {

    private final Node node;
    private final Executor aside;

    /** The collection in flight; null: none. */
    private final AtomicReference<@Nullable CompletableFuture<FlowSnapshot>> underWay = new AtomicReference<>();

    FlowLook(Node node, Executor aside) {
        this.node = node;
        this.aside = aside;
    }

    /**
     * Returns the flow. A caller that comes while a collection is in flight gets its result. Fails with a
     * {@link TaskMasterException}.
     */
    CompletableFuture<FlowSnapshot> look() {
        CompletableFuture<FlowSnapshot> mine = new CompletableFuture<>();
        CompletableFuture<FlowSnapshot> theirs = underWay.compareAndExchange(null, mine);
        if (theirs != null) {
            return theirs;
        }
        var _ = ScatterGather.of(IntStream.range(0, node.partitions())
                        .mapToObj(node::flow)
                        .toList())
                .thenApplyAsync(FlowSnapshot::sum, aside)
                .whenComplete((flow, failure) -> {
                    // Cleared before the result is published: a caller that sees the result and looks again gets a new
                    // collection.
                    underWay.set(null);
                    if (failure == null) {
                        mine.complete(flow);
                    } else {
                        mine.completeExceptionally(ScatterGather.refusal(failure));
                    }
                });
        return mine;
    }
}
