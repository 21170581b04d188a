package io.taskmaster.server.insight.report;

import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.route.ScatterGather;
import io.taskmaster.proxy.rpc.call.CallMeter;
import io.taskmaster.proxy.rpc.call.OffloadExecutor;
import io.taskmaster.proxy.rpc.call.ServiceContext;
import io.taskmaster.proxy.rpc.call.ServiceFactory;
import io.taskmaster.proxy.rpc.call.UnaryCall;
import io.taskmaster.proxy.rpc.call.UnaryMethod;
import io.taskmaster.proxy.rpc.mapping.Fields;
import io.taskmaster.proxy.rpc.scatter.RankService;
import io.taskmaster.server.insight.Insight;
import io.taskmaster.server.insight.Resolution;
import io.taskmaster.server.partition.Node;
import io.taskmaster.time.Clock;
import io.taskmaster.v1.ClearingReply;
import io.taskmaster.v1.ClearingRequest;
import io.taskmaster.v1.FlowReply;
import io.taskmaster.v1.FlowRequest;
import io.taskmaster.v1.HistoryReply;
import io.taskmaster.v1.HistoryRequest;
import io.taskmaster.v1.InsightGrpc;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The service for a node's insight: flow, history, ranking of queues. It is separate from the service of the contract.
 * Work that takes long is offloaded. Thread-safe; never blocks.
 */
public final class InsightService {

    private final Node node;
    private final Insight insight;
    private final Clock clock;
    private final OffloadExecutor offloadExecutor;

    private InsightService(Node node, Insight insight, ServiceContext context) {
        this.node = node;
        this.insight = insight;
        this.clock = context.clock();
        this.offloadExecutor = context.offloadExecutor();
    }

    /** Returns the service, for a port. */
    public static ServiceFactory of(Node node, Insight insight) {
        return context -> new InsightService(node, insight, context).definition(context);
    }

    private ServerServiceDefinition definition(ServiceContext context) {
        var ranks = new RankService(node, clock, offloadExecutor);
        var service = ServerServiceDefinition.builder(InsightGrpc.getServiceDescriptor());
        add(service, InsightGrpc.getShowFlowMethod(), this::flow, context);
        add(service, InsightGrpc.getShowHistoryMethod(), this::history, context);
        add(service, InsightGrpc.getRankQueuesMethod(), ranks::rank, context);
        add(service, InsightGrpc.getShowClearingMethod(), this::clearing, context);
        return service.build();
    }

    private static <Q extends MessageLite, P extends MessageLite> void add(
            ServerServiceDefinition.Builder service,
            MethodDescriptor<Q, P> method,
            UnaryMethod.Handler<Q, P> handler,
            ServiceContext context) {
        service.addMethod(
                method,
                UnaryMethod.answering(
                        handler,
                        context.inFlightLimiter(),
                        context.offloadExecutor(),
                        new CallMeter(method, context.meters())));
    }

    private void flow(FlowRequest request, UnaryCall<?, FlowReply> call) {
        var _ = insight.flow().whenComplete((flow, failure) -> {
            if (failure == null) {
                offloadExecutor.run(
                        () -> call.answer(InsightMapper.flow(flow, insight.findings(flow), clock.wallMillis())),
                        call::fail);
            } else {
                call.fail(ScatterGather.refusal(failure));
            }
        });
    }

    private void history(HistoryRequest request, UnaryCall<?, HistoryReply> call) {
        Resolution resolution = InsightMapper.resolution(request.getReach());
        Optional<QueueKey> queue = queue(request);
        offloadExecutor.run(() -> call.answer(history(request, queue, resolution)), call::fail);
    }

    private static Optional<QueueKey> queue(HistoryRequest request) {
        if (request.getQueue().isEmpty() && request.getQueueGroup().isEmpty()) {
            return Optional.empty();
        }
        if (request.hasFamily()) {
            throw Fields.invalid(ErrorCode.INVALID_FIELD, "queue", "given together with family", "only one of them");
        }
        return Optional.of(new QueueKey(
                Fields.group(request.getQueueGroup(), "queue_group"), Fields.queue(request.getQueue(), "queue", 0)));
    }

    private HistoryReply history(HistoryRequest request, Optional<QueueKey> queue, Resolution resolution) {
        if (!request.hasFamily() && queue.isEmpty()) {
            return InsightMapper.history(insight.history(resolution));
        }
        return queue.map(name -> insight.history(name, resolution))
                .orElseGet(() -> insight.history(InsightMapper.family(request.getFamily()), resolution))
                .map(InsightMapper::history)
                .orElse(HistoryReply.getDefaultInstance());
    }

    private void clearing(ClearingRequest request, UnaryCall<?, ClearingReply> call) {
        GroupName group = Fields.group(request.getGroup(), "group");
        var _ = ScatterGather.of(node.uncleared(group, queues(group, request))).whenComplete((uncleared, failure) -> {
            if (failure == null) {
                call.answer(ClearingReply.newBuilder().setUncleared(uncleared).build());
            } else {
                call.fail(ScatterGather.refusal(failure));
            }
        });
    }

    private static List<QueueKey> queues(GroupName group, ClearingRequest request) {
        int count = request.getQueuesCount();
        if (count > Limits.SELECTOR_NAMES) {
            throw Fields.invalid(
                    ErrorCode.INVALID_FIELD, "queues", count + " names", Fields.expectedAtMost(Limits.SELECTOR_NAMES));
        }
        return IntStream.range(0, count)
                .mapToObj(i -> new QueueKey(group, Fields.queue(request.getQueues(i), "queues[#]", i)))
                .toList();
    }
}
