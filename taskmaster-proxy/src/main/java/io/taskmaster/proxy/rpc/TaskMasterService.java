package io.taskmaster.proxy.rpc;

import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply;
import io.taskmaster.model.GroupName;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.proxy.route.Router;
import io.taskmaster.proxy.rpc.call.CallMeter;
import io.taskmaster.proxy.rpc.call.InFlightLimiter;
import io.taskmaster.proxy.rpc.call.OffloadExecutor;
import io.taskmaster.proxy.rpc.call.ServiceContext;
import io.taskmaster.proxy.rpc.call.UnaryCall;
import io.taskmaster.proxy.rpc.call.UnaryMethod;
import io.taskmaster.proxy.rpc.mapping.ReplyMapper;
import io.taskmaster.proxy.rpc.mapping.RequestMapper;
import io.taskmaster.proxy.rpc.mapping.UpdateMapper;
import io.taskmaster.proxy.rpc.scatter.AllGroupsLease;
import io.taskmaster.proxy.rpc.scatter.BatchCall;
import io.taskmaster.proxy.rpc.scatter.FanOut;
import io.taskmaster.proxy.rpc.scatter.ReplyMerger;
import io.taskmaster.time.Clock;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.UpdateRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The service of the contract. It validates, maps and submits on the network's threads; answers come from the
 * partitions' loops. A request with a group goes to the partition of the group; one over all groups goes to every
 * partition ({@link FanOut}), or round-robin if it is a lease ({@link AllGroupsLease}). Thread-safe; never blocks.
 */
final class TaskMasterService {

    private final Router router;
    private final String nodeName;
    private final InFlightLimiter inFlightLimiter;
    private final Clock clock;
    private final OffloadExecutor offloadExecutor;
    private final MeterRegistry meters;
    private final RequestMapper mapper = new RequestMapper();

    /** The partition with which the next lease over all groups begins. */
    private final AtomicInteger allGroupsCursor = new AtomicInteger();

    /**
     * Creates the service.
     *
     * @param nodeName the name of this node in descriptions
     */
    TaskMasterService(Router router, String nodeName, ServiceContext context) {
        this.router = router;
        this.nodeName = nodeName;
        this.inFlightLimiter = context.inFlightLimiter();
        this.clock = context.clock();
        this.offloadExecutor = context.offloadExecutor();
        this.meters = context.meters();
    }

    ServerServiceDefinition definition() {
        var service = ServerServiceDefinition.builder(TaskMasterGrpc.getServiceDescriptor());
        add(
                service,
                TaskMasterGrpc.getUpdateTasksMethod(),
                this::update,
                reply -> ReplyMapper.updated((Reply.Updated) reply));
        add(
                service,
                TaskMasterGrpc.getLeaseTasksMethod(),
                this::lease,
                reply -> ReplyMapper.leased((Reply.Leased) reply));
        add(
                service,
                TaskMasterGrpc.getListQueuesMethod(),
                this::list,
                reply -> ReplyMapper.listed((Reply.Listed) reply));
        add(
                service,
                TaskMasterGrpc.getDescribeQueuesMethod(),
                this::describe,
                reply -> ReplyMapper.described((Reply.Described) reply, nodeName));
        add(
                service,
                TaskMasterGrpc.getPeekTasksMethod(),
                this::peek,
                reply -> ReplyMapper.peeked((Reply.Peeked) reply));
        add(
                service,
                TaskMasterGrpc.getDeleteQueuesMethod(),
                this::delete,
                reply -> ReplyMapper.deleted((Reply.Deleted) reply));
        service.addMethod(
                TaskMasterGrpc.getBatchMethod(),
                UnaryMethod.answering(
                        this::batch,
                        inFlightLimiter,
                        offloadExecutor,
                        new CallMeter(TaskMasterGrpc.getBatchMethod(), meters)));
        add(
                service,
                TaskMasterGrpc.getConfigureQueueMethod(),
                this::configure,
                reply -> ConfigureReply.getDefaultInstance());
        return service.build();
    }

    private <Q extends MessageLite, P extends MessageLite> void add(
            ServerServiceDefinition.Builder service,
            MethodDescriptor<Q, P> method,
            UnaryMethod.Handler<Q, P> handler,
            Function<Reply, P> replyMapper) {
        service.addMethod(
                method,
                new UnaryMethod<>(
                        handler, replyMapper, inFlightLimiter, offloadExecutor, new CallMeter(method, meters)));
    }

    private void update(UpdateRequest request, UnaryCall<?, ?> call) {
        update(request, (ReplySink) call);
    }

    private void update(UpdateRequest request, ReplySink sink) {
        Command.Update command = UpdateMapper.map(request);
        router.submit(command.group(), command, sink);
    }

    private void lease(LeaseRequest request, UnaryCall<?, ?> call) {
        lease(request, call.peer(), call);
    }

    private void lease(LeaseRequest request, String peer, ReplySink sink) {
        Command.Lease command = mapper.lease(request, peer);
        Optional<GroupName> group = command.selector().group();
        if (group.isPresent()) {
            router.submit(group.get(), command, sink);
        } else {
            AllGroupsLease.submit(router, clock, command, sink, allGroupsCursor);
        }
    }

    private void batch(BatchRequest request, UnaryCall<?, BatchReply> call) {
        BatchCall.submit(
                new BatchCall.Target() {
                    @Override
                    public void update(UpdateRequest update, ReplySink sink) {
                        TaskMasterService.this.update(update, sink);
                    }

                    @Override
                    public void lease(LeaseRequest lease, ReplySink sink) {
                        TaskMasterService.this.lease(lease, call.peer(), sink);
                    }

                    @Override
                    public String callerOf(MessageLite operation) {
                        return call.callerOf(operation);
                    }
                },
                request,
                call::answer,
                call::isCancelled,
                offloadExecutor);
    }

    private void list(ListRequest request, UnaryCall<?, ?> call) {
        Command.ListQueues command = mapper.list(request);
        submit(
                command,
                command.selector(),
                Reply.Listed.class,
                parts -> ReplyMerger.listed(parts, command.maxQueues()),
                call);
    }

    private void describe(DescribeRequest request, UnaryCall<?, ?> call) {
        Command.Describe command = mapper.describe(request);
        submit(
                command,
                command.selector(),
                Reply.Described.class,
                parts -> ReplyMerger.described(parts, command.maxQueues()),
                call);
    }

    private void peek(PeekRequest request, UnaryCall<?, ?> call) {
        Command.Peek command = mapper.peek(request);
        router.submit(command.queue().group(), command, call);
    }

    private void configure(ConfigureRequest request, UnaryCall<?, ?> call) {
        Command.Configure command = mapper.configure(request);
        router.submit(command.queue().group(), command, call);
    }

    private void delete(DeleteRequest request, UnaryCall<?, ?> call) {
        Command.Delete command = mapper.delete(request);
        submit(command, command.selector(), Reply.Deleted.class, ReplyMerger::deleted, call);
    }

    private <R extends Reply> void submit(
            Command command, Selector selector, Class<R> type, Function<List<R>, Reply> merge, UnaryCall<?, ?> call) {
        if (selector.group().isPresent()) {
            router.submit(selector.group().get(), command, call);
        } else {
            FanOut.submit(router, command, type, merge, offloadExecutor, call);
        }
    }
}
