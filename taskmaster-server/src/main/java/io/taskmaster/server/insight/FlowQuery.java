package io.taskmaster.server.insight;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.route.ScatterGather;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.partition.Node;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The collection of a node's flow. Each partition reports on its loop, and the reports are summed up off the loop.
 * Concurrent callers share one collection. Thread-safe; never blocks.
 */
final class FlowQuery {

    private final Node node;
    private final Executor executor;

    /** The collection in flight; null: none. */
    private final AtomicReference<@Nullable CompletableFuture<FlowSnapshot>> inFlight = new AtomicReference<>();

    FlowQuery(Node node, Executor executor) {
        this.node = node;
        this.executor = executor;
    }

    /**
     * Returns the flow. A caller that comes while a collection is in flight gets its result. Fails with a
     * {@link TaskMasterException}.
     */
    CompletableFuture<FlowSnapshot> query() {
        CompletableFuture<FlowSnapshot> result = new CompletableFuture<>();
        CompletableFuture<FlowSnapshot> existing = inFlight.compareAndExchange(null, result);
        if (existing != null) {
            return existing;
        }
        var _ = ScatterGather.of(IntStream.range(0, node.partitions())
                        .mapToObj(node::flow)
                        .toList())
                .thenApplyAsync(FlowSnapshot::sum, executor)
                .whenComplete((flow, failure) -> {
                    // Cleared before the result is published: a caller that sees the result and looks again gets a new
                    // collection.
                    inFlight.set(null);
                    if (failure == null) {
                        result.complete(flow);
                    } else {
                        result.completeExceptionally(ScatterGather.refusal(failure));
                    }
                });
        return result;
    }
}
