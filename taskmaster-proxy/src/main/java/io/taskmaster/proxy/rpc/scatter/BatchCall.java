package io.taskmaster.proxy.rpc.scatter;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.proxy.rpc.call.OffloadExecutor;
import io.taskmaster.proxy.rpc.call.UnaryCall;
import io.taskmaster.proxy.rpc.mapping.Fields;
import io.taskmaster.proxy.rpc.mapping.ReplyMapper;
import io.taskmaster.proxy.rpc.mapping.RequestMapper;
import io.taskmaster.proxy.rpc.mapping.ServiceClasses;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.BatchRequest.Operation;
import io.taskmaster.v1.Error;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.UpdateRequest;
import io.taskmaster.wire.ErrorMapper;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch of independent updates and leases in one call.
 *
 * <p>Operations are cut into one {@link GroupQueue} per consistency group. Those of one group are decided one after the
 * other, in the order given: each is submitted as soon as the one before it is decided, so they become durable
 * together. A lease over all groups has a group in common with every operation, so a batch with such a lease is one
 * single line.
 *
 * <p>At most {@link OffloadExecutor#maxOpenGroups} lines are open at any time; when one is through, the next begins.
 * Operations larger than {@link OffloadExecutor#requestBytes} are mapped off the partition's loop. Both let requests of
 * other callers in between. The reply is built, off the loops, when the last result has come; an operation that fails
 * leaves the others alone. Thread-safe.
 */
public final class BatchCall {

    /** The service that takes single operations. */
    public interface Target {

        void update(UpdateRequest request, ReplySink sink);

        void lease(LeaseRequest request, ReplySink sink);

        /** Returns the caller of an operation, as admission control counts it. */
        String callerOf(MessageLite operation);
    }

    private static final Logger LOG = LoggerFactory.getLogger(BatchCall.class);

    private final Target target;
    private final BatchRequest request;
    private final Consumer<BatchReply> answer;
    private final BooleanSupplier cancelled;
    private final OffloadExecutor offloadExecutor;

    /** Suppliers of the results, by the index of their operation; called when all are there. */
    private final AtomicReferenceArray<@Nullable Supplier<BatchReply.Result>> results;

    private final AtomicInteger missing;
    private final Queue<GroupQueue> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger beginnings = new AtomicInteger();
    private final int bytesPerLease;

    private BatchCall(
            Target target,
            BatchRequest request,
            Consumer<BatchReply> answer,
            BooleanSupplier cancelled,
            OffloadExecutor offloadExecutor) {
        this.target = target;
        this.request = request;
        this.answer = answer;
        this.cancelled = cancelled;
        this.offloadExecutor = offloadExecutor;
        this.results = new AtomicReferenceArray<>(request.getOperationsCount());
        this.missing = new AtomicInteger(request.getOperationsCount());
        long leases =
                request.getOperationsList().stream().filter(Operation::hasLease).count();
        this.bytesPerLease = (int) Math.max(1, RequestMapper.DEFAULT_BYTES / Math.max(1, leases));
    }

    /**
     * Submits all operations. Throws a refusal if the batch as a whole is invalid.
     *
     * @param cancelled whether the client went away; then nothing more is leased
     * @param offloadExecutor where large operations are mapped, and where the reply is built and passed to
     *     {@code answer}
     */
    public static void submit(
            Target target,
            BatchRequest request,
            Consumer<BatchReply> answer,
            BooleanSupplier cancelled,
            OffloadExecutor offloadExecutor) {
        if (request.getOperationsCount() > Limits.BATCH_OPERATIONS) {
            throw Fields.invalid(
                    ErrorCode.BATCH_TOO_LARGE,
                    "operations",
                    request.getOperationsCount() + " operations",
                    Fields.expectedAtMost(Limits.BATCH_OPERATIONS));
        }
        if (request.getSerializedSize() > Limits.BATCH_BYTES) {
            throw Fields.invalid(
                    ErrorCode.BATCH_TOO_LARGE,
                    "batch",
                    request.getSerializedSize() + " bytes",
                    Fields.expectedAtMost(Limits.BATCH_BYTES));
        }
        new BatchCall(target, request, answer, cancelled, offloadExecutor).start();
    }

    private void start() {
        if (request.getOperationsCount() == 0) {
            answer.accept(BatchReply.getDefaultInstance());
            return;
        }
        boolean anyGroup = request.getOperationsList().stream().anyMatch(BatchCall::isForAllGroups);
        Map<ByteString, GroupQueue> groupQueues = new LinkedHashMap<>();
        for (int i = 0; i < request.getOperationsCount(); i++) {
            ByteString group = anyGroup ? ByteString.EMPTY : groupOf(request.getOperations(i));
            groupQueues.computeIfAbsent(group, _ -> new GroupQueue()).remaining.add(i);
        }
        waiting.addAll(groupQueues.values());
        for (int i = 0; i < offloadExecutor.maxOpenGroups(); i++) {
            beginNext();
        }
    }

    /**
     * Begins the next line. The counter keeps this from nesting, as in {@link GroupQueue#runNext}: a line may end while
     * it is being begun.
     */
    private void beginNext() {
        if (beginnings.getAndIncrement() == 0) {
            do {
                GroupQueue next = waiting.poll();
                if (next != null) {
                    next.runNext();
                }
            } while (beginnings.decrementAndGet() > 0);
        }
    }

    private static boolean isForAllGroups(Operation operation) {
        return operation.hasLease() && operation.getLease().getQueues().getAllGroups();
    }

    private static ByteString groupOf(Operation operation) {
        return switch (operation.getKindCase()) {
            case UPDATE -> operation.getUpdate().getGroup();
            case LEASE -> operation.getLease().getQueues().getGroup();
            case KIND_NOT_SET -> ByteString.EMPTY;
        };
    }

    private void submit(Operation operation, ReplySink sink) {
        switch (operation.getKindCase()) {
            case UPDATE -> target.update(operation.getUpdate(), sink);
            case LEASE -> {
                LeaseRequest lease = operation.getLease();
                if (lease.hasWait()) {
                    throw Fields.invalid(ErrorCode.WAIT_IN_BATCH, "lease.wait", "present", "no wait in a batch");
                }
                target.lease(lease.getMaxBytes() == 0 ? withDefaultBytes(lease) : lease, sink);
            }
            case KIND_NOT_SET ->
                throw Fields.invalid(
                        ErrorCode.INVALID_FIELD, "operations", "an empty operation", "an update or a lease");
        }
    }

    /**
     * Limits a lease without a limit of its own: all leases together get what one alone would, so that a stub with
     * default limits can receive the reply.
     */
    private LeaseRequest withDefaultBytes(LeaseRequest lease) {
        return lease.toBuilder().setMaxBytes(bytesPerLease).build();
    }

    private void answered(int index, Supplier<BatchReply.Result> result) {
        // The result is stored before it is counted, so the thread that counts the last one finds them all.
        results.set(index, result);
        if (missing.decrementAndGet() == 0) {
            offloadExecutor.threads().execute(this::answer);
        }
    }

    private void answer() {
        BatchReply.Builder reply = BatchReply.newBuilder();
        for (int i = 0; i < results.length(); i++) {
            reply.addResults(result(i));
        }
        answer.accept(reply.build());
    }

    private BatchReply.Result result(int index) {
        try {
            return Objects.requireNonNull(results.get(index)).get();
        } catch (RuntimeException e) {
            return error(index, UnaryCall.defect(e));
        }
    }

    private void failed(int index, TaskMasterException error) {
        BatchReply.Result result = error(index, error);
        answered(index, () -> result);
    }

    private static BatchReply.Result error(int index, TaskMasterException error) {
        if (error.code() == ErrorCode.INTERNAL) {
            LOG.error("operation {} of a batch failed", index, error);
        }
        Error.Builder message = Error.newBuilder()
                .setCode(ErrorMapper.toGrpc(error).getStatus().getCode().value())
                .setReason(error.code().name())
                .setMessage(String.valueOf(error.getMessage()));
        return BatchReply.Result.newBuilder().setError(message).build();
    }

    /**
     * The remaining operations of one group. Single-threaded: owned by the thread that took {@code pendingRuns} from 0
     * to 1.
     */
    private final class GroupQueue {

        private final Queue<Integer> remaining = new ArrayDeque<>();
        private final AtomicInteger pendingRuns = new AtomicInteger();
        private boolean done;

        /**
         * Goes on after a decision. A decision may be reported while its operation is still being submitted, so calls
         * are counted: the thread that makes the first one runs all, one after the other, and none is nested in
         * another. The stack stays flat for a batch of any length.
         */
        void runNext() {
            if (pendingRuns.getAndIncrement() == 0) {
                do {
                    startNext();
                } while (pendingRuns.decrementAndGet() > 0);
            }
        }

        private void startNext() {
            for (Integer index = remaining.poll(); index != null; index = remaining.poll()) {
                int next = index;
                if (request.getOperations(next).getSerializedSize() > offloadExecutor.requestBytes()) {
                    // The decision on the operation calls runNext(). A refused one is never decided, so runNext() is
                    // called
                    // here.
                    offloadExecutor.threads().execute(() -> {
                        if (!start(next)) {
                            runNext();
                        }
                    });
                    return;
                }
                if (start(next)) {
                    return;
                }
            }
            if (!done) {
                done = true;
                beginNext();
            }
        }

        /**
         * Submits an operation.
         *
         * @return false if it was refused
         */
        private boolean start(int index) {
            try {
                submit(request.getOperations(index), new OperationSink(index, this));
                return true;
            } catch (TaskMasterException refused) {
                failed(index, refused);
            } catch (RuntimeException e) {
                // This may be a partition's loop, which must not end for a defect of the mapping.
                failed(index, UnaryCall.defect(e));
            }
            return false;
        }
    }

    /** The receiver of the reply to one operation. */
    private final class OperationSink implements ReplySink {

        private final int index;
        private final GroupQueue groupQueue;
        private boolean decided;

        OperationSink(int index, GroupQueue groupQueue) {
            this.index = index;
            this.groupQueue = groupQueue;
        }

        @Override
        public void decided(Reply reply) {
            runNext();
        }

        @Override
        public void reply(Reply reply) {
            runNext();
            // A lease that was cut short must not look as if there were no tasks.
            if (UnaryCall.isEmptyLease(reply) && cancelled.getAsBoolean()) {
                failed(index, UnaryCall.endOfLeases());
            } else {
                answered(index, () -> result(reply));
            }
        }

        private static BatchReply.Result result(Reply reply) {
            BatchReply.Result.Builder result = BatchReply.Result.newBuilder();
            if (reply instanceof Reply.Updated updated) {
                result.setUpdate(ReplyMapper.updated(updated));
            } else {
                result.setLease(ReplyMapper.leased((Reply.Leased) reply));
            }
            return result.build();
        }

        @Override
        public void fail(TaskMasterException error) {
            runNext();
            failed(index, error);
        }

        private void runNext() {
            // A reply or failure may come without a decision, as from a partition that breaks down; the line must go on
            // once in any case.
            if (!decided) {
                decided = true;
                groupQueue.runNext();
            }
        }

        @Override
        public boolean isBulk() {
            return ServiceClasses.isBulk(request.getOperations(index));
        }

        @Override
        public String caller() {
            Operation operation = request.getOperations(index);
            return target.callerOf(operation.hasLease() ? operation.getLease() : operation.getUpdate());
        }

        @Override
        public boolean isCancelled() {
            return cancelled.getAsBoolean();
        }
    }
}
