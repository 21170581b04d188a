package io.taskmaster.server.insight;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.partition.Survey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How tasks flow through a node. Partitions are asked on their loops, and what they say is summed up aside: one look at a time, however many ask. Thread-safe; never blocks.
 */
final class FlowLook {

    private final Node node;
    private final Executor aside;

    /** The look that is under way; null: none. */
    private final AtomicReference<@Nullable CompletableFuture<FlowSnapshot>> underWay = new AtomicReference<>();

    FlowLook(Node node, Executor aside) {
        this.node = node;
        this.aside = aside;
    }

    /** Who comes while a look is under way sees what it sees. Fails with a {@link TaskMasterException}. */
    CompletableFuture<FlowSnapshot> look() {
        CompletableFuture<FlowSnapshot> mine = new CompletableFuture<>();
        CompletableFuture<FlowSnapshot> theirs = underWay.compareAndExchange(null, mine);
        if (theirs != null) {
            return theirs;
        }
        var _ = Survey.of(IntStream.range(0, node.partitions())
                        .mapToObj(node::flow)
                        .toList())
                .thenApplyAsync(FlowSnapshot::sum, aside)
                .whenComplete((flow, failure) -> {
                    underWay.set(null);
                    if (failure == null) {
                        mine.complete(flow);
                    } else {
                        mine.completeExceptionally(Survey.refusal(failure));
                    }
                });
        return mine;
    }
}
