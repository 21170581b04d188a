package io.taskmaster.server.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.FamilyName;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.partition.Clock;
import io.taskmaster.server.partition.Node;
import io.taskmaster.v1.FlowReply;
import io.taskmaster.v1.FlowRequest;
import io.taskmaster.v1.HandOff;
import io.taskmaster.v1.InsightGrpc;
import io.taskmaster.v1.QueueFamily;
import io.taskmaster.wire.ErrorMapper;
import io.taskmaster.wire.TimeMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the node sees of itself while it works, beside the service of the contract. Partitions are asked on their loops, and all else is done aside. Thread-safe; never
 * blocks.
 */
final class InsightService extends InsightGrpc.InsightImplBase {

    /** A partition that has not answered by then is stuck, or closed. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Node node;
    private final Clock clock;
    private final Aside aside;

    /** The look that is under way; null: none. */
    private final AtomicReference<@Nullable CompletableFuture<FlowSnapshot>> look = new AtomicReference<>();

    InsightService(Node node, Clock clock, Aside aside) {
        this.node = node;
        this.clock = clock;
        this.aside = aside;
    }

    @Override
    public void showFlow(FlowRequest request, StreamObserver<FlowReply> caller) {
        CompletableFuture<?> _ = look().whenComplete((flow, failure) -> {
            if (failure == null) {
                aside.run(() -> answer(caller, reply(flow)), error -> caller.onError(ErrorMapper.toGrpc(error)));
            } else {
                caller.onError(ErrorMapper.toGrpc(new TaskMasterException(
                        ErrorCode.PARTITION_OPENING, "a partition has not said how tasks flow in " + PATIENCE)));
            }
        });
    }

    /** One look at a time, however many ask: who comes while it is under way sees what it sees. */
    private CompletableFuture<FlowSnapshot> look() {
        CompletableFuture<FlowSnapshot> mine = new CompletableFuture<>();
        CompletableFuture<FlowSnapshot> underWay = look.compareAndExchange(null, mine);
        if (underWay != null) {
            return underWay;
        }
        List<CompletableFuture<FlowSnapshot>> parts =
                IntStream.range(0, node.partitions()).mapToObj(node::flow).toList();
        CompletableFuture<?> _ = CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .thenApplyAsync(
                        _ -> FlowSnapshot.sum(
                                parts.stream().map(CompletableFuture::join).toList()),
                        aside.threads())
                .whenComplete((flow, failure) -> {
                    look.set(null);
                    if (failure == null) {
                        mine.complete(flow);
                    } else {
                        mine.completeExceptionally(failure);
                    }
                });
        return mine;
    }

    private static <P> void answer(StreamObserver<P> caller, P reply) {
        if (caller instanceof ServerCallStreamObserver<P> call && call.isCancelled()) {
            return;
        }
        caller.onNext(reply);
        caller.onCompleted();
    }

    private FlowReply reply(FlowSnapshot flow) {
        FlowReply.Builder reply =
                FlowReply.newBuilder().setAt(TimeMapper.toProto(Instant.ofEpochMilli(clock.wallMillis())));
        Map<FamilyName, Integer> numbers = new HashMap<>();
        for (FlowSnapshot.Node family : flow.nodes()) {
            numbers.put(family.name(), numbers.size());
            reply.addFamilies(family(family));
        }
        for (FlowSnapshot.Edge edge : flow.edges()) {
            Integer from = numbers.get(edge.from());
            Integer to = numbers.get(edge.to());
            if (from != null && to != null) {
                reply.addHandOffs(HandOff.newBuilder().setFrom(from).setTo(to).setTasks(edge.tasks()));
            }
        }
        return reply.build();
    }

    private static QueueFamily family(FlowSnapshot.Node family) {
        QueueFamily.Builder message = QueueFamily.newBuilder()
                .setHead(ProtoBytes.of(family.name().head()))
                .setOpen(family.name().isOpen())
                .setTail(ProtoBytes.of(family.name().tail()))
                .setQueues(family.queues())
                .setAvailable(family.available())
                .setLeased(family.leased())
                .setDelayed(family.delayed())
                .setEnqueued(family.enqueued())
                .setLeases(family.leases())
                .setDequeued(family.dequeued())
                .setExpired(family.expired())
                .setEnded(family.ended());
        family.name()
                .group()
                .ifPresentOrElse(group -> message.setGroup(ProtoBytes.of(group)), () -> message.setAnyGroup(true));
        return message.build();
    }
}
