package io.taskmaster.client;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.time.Deadlines;
import io.taskmaster.v1.FlowRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client of TaskMaster with an asynchronous API; {@link #blocking()} is the blocking one.
 *
 * <p>Each call has a deadline. A future completes with a reply, or with a
 * {@link io.taskmaster.error.TaskMasterException} whose code determines the reaction; retries that are safe have been
 * made by then. Expected outcomes (no available task, a lost lease, a refused update) are replies. Cancelling a future
 * cancels the call; the server may still execute it.
 *
 * <p>A request that was not done is sent again, after the delay that the server asks for and a growing back-off. A
 * request with an unknown outcome (the connection broke, the attempt timed out, {@code OUTCOME_UNKNOWN}) is sent again
 * if it can be repeated: reads; options; updates that {@linkplain Update#isIdempotent() are idempotent} or have a
 * {@linkplain RequestId request id}, which {@linkplain TaskMasterClientBuilder#requestIds the client assigns}; batches
 * of such. Leases and deletes cannot. A future fails with an unknown outcome only if repetition does not settle it.
 * Retries to an overloaded server are bounded to a share of the calls ({@link TaskMasterClientBuilder#retryBudget}).
 *
 * <p>Futures complete on a network thread unless the client has an executor: dependent actions must not block, or must
 * use their own executor. Thread-safe; a process needs one client.
 */
public final class TaskMasterClient implements AutoCloseable {

    private final Connection connection;
    private final long deadlineNanos;
    private final String worker;
    private final RequestIdRule requestIds;
    private final BlockingClient blocking = new BlockingClient(this);

    /**
     * Creates a client.
     *
     * @param deadline the deadline of each call; that of a long poll is extended by its wait
     * @param worker the name of this worker, for people
     */
    TaskMasterClient(Connection connection, Duration deadline, String worker, RequestIdRule requestIds) {
        this.connection = connection;
        this.deadlineNanos = Deadlines.nanos(deadline);
        this.worker = worker;
        this.requestIds = requestIds;
    }

    /**
     * Creates a client with the defaults. It connects with the first call.
     *
     * @param target {@code host:port}
     */
    public static TaskMasterClient connect(String target) {
        return builder(target).build();
    }

    /**
     * Starts to build a client.
     *
     * @param target {@code host:port}
     */
    public static TaskMasterClientBuilder builder(String target) {
        return new TaskMasterClientBuilder(target);
    }

    /** Returns the blocking API of this client. */
    public BlockingClient blocking() {
        return blocking;
    }

    /**
     * Applies all elements of an update, or none. Without a request id it may get one, as the client was configured.
     */
    public CompletableFuture<UpdateResult> update(Update update) {
        return send(requestIds.identify(update), deadlineNanos);
    }

    private CompletableFuture<UpdateResult> send(Update update, long timeoutNanos) {
        return Call.start(connection, Repetition.of(update), RequestMapper.update(update), timeoutNanos);
    }

    /**
     * Sends independent updates and leases in one call. Those of one group are applied in their order. Each is atomic
     * by itself and has its own result, in the same order. An operation that fails is not retried by itself: its result
     * has the error of a single call. The call as a whole is retried like any other; with a lease in it, it cannot be
     * repeated when its outcome is unknown.
     *
     * @param operations at most 10,000, and 32 MiB; no long polls
     */
    public CompletableFuture<List<BatchResult>> batch(List<BatchOperation> operations) {
        List<BatchOperation> identified =
                operations.stream().map(requestIds::identify).toList();
        return Call.start(
                connection, Repetition.of(identified), RequestMapper.batch(identified, worker), deadlineNanos);
    }

    /** Enqueues one task. A task with this PID that is already queued stays as it is. */
    public CompletableFuture<UpdateResult> enqueue(QueueKey queue, Pid pid, Bytes data) {
        return update(Update.in(queue.group()).enqueue(queue.name(), pid, data).build());
    }

    /** Enqueues one task at the end of the queue, with a PID that the server assigns. */
    public CompletableFuture<UpdateResult> enqueue(QueueKey queue, Bytes data) {
        return update(Update.in(queue.group()).enqueue(queue.name(), data).build());
    }

    /** Dequeues a leased task, under its lease. */
    public CompletableFuture<UpdateResult> dequeue(LeasedTask task) {
        return update(Update.in(task.queue().group()).dequeue(task).build());
    }

    /** Renews a lease: it expires this time from now. */
    public CompletableFuture<UpdateResult> renew(LeasedTask task, Duration length) {
        return update(Update.in(task.queue().group()).renew(task, length).build());
    }

    /** Releases a leased task, which is available again at once. */
    public CompletableFuture<UpdateResult> release(LeasedTask task) {
        return update(Update.in(task.queue().group()).release(task).build());
    }

    /** Releases a leased task with a not-before time, by the server's clock. */
    public CompletableFuture<UpdateResult> release(LeasedTask task, Instant notBefore) {
        return update(Update.in(task.queue().group()).release(task, notBefore).build());
    }

    /** Releases a leased task that no handler has had: the lease does not count as an attempt. */
    public CompletableFuture<UpdateResult> releaseUntried(LeasedTask task) {
        return update(Update.in(task.queue().group()).releaseUntried(task).build());
    }

    /**
     * Creates a keeper that renews leases until it is closed.
     *
     * @param length the length of a lease from each renewal on, 100 ms to 7 days; tasks of a worker that dies stay
     *     leased for so long
     */
    public LeaseKeeper keepLeases(Duration length) {
        return new LeaseKeeper(this::send, connection.timer(), length);
    }

    /** Leases available tasks, in PID order per queue, round-robin over the queues; empty if there are none. */
    public CompletableFuture<List<LeasedTask>> lease(LeaseRequest request) {
        return Call.start(
                connection,
                Operation.LEASE,
                RequestMapper.lease(request, worker),
                deadlineNanos + Math.max(0, Deadlines.nanos(request.maxWait())));
    }

    /** Lists the names and sizes of queues. */
    public CompletableFuture<ListResult> list(ListRequest request) {
        return Call.start(connection, Operation.LIST, RequestMapper.list(request), deadlineNanos);
    }

    /** Describes queues: sizes, rates, ages, and a sample of their leases. */
    public CompletableFuture<DescribeResult> describe(DescribeRequest request) {
        return Call.start(connection, Operation.DESCRIBE, RequestMapper.describe(request), deadlineNanos);
    }

    /** Returns tasks of one queue in PID order, without leasing them. */
    public CompletableFuture<PeekResult> peek(PeekRequest request) {
        return Call.start(connection, Operation.PEEK, RequestMapper.peek(request), deadlineNanos);
    }

    /** Deletes queues with all their tasks, in constant time. Returns the sizes that they had. */
    public CompletableFuture<List<QueueSummary>> delete(QueueSelector queues) {
        return Call.start(connection, Operation.DELETE, RequestMapper.delete(queues), deadlineNanos);
    }

    /**
     * Replaces the options of a queue. Returns the new options.
     *
     * @param queue the queue, which need not hold tasks
     */
    public CompletableFuture<QueueOptions> configure(QueueKey queue, QueueOptions options) {
        return Call.start(
                connection, Operation.configure(options), RequestMapper.configure(queue, options), deadlineNanos);
    }

    /** Returns the flow of tasks between families of queues. */
    public CompletableFuture<Flow> flow() {
        return Call.start(connection, Operation.FLOW, FlowRequest.getDefaultInstance(), deadlineNanos);
    }

    /** Returns a page of the queues that hold tasks or have options of their own, in some order, and their totals. */
    public CompletableFuture<RankResult> rank(RankRequest request) {
        return Call.start(connection, Operation.RANK, RequestMapper.rank(request), deadlineNanos);
    }

    /**
     * Returns the number of these queues that were deleted and still occupy storage. Their tasks are gone in any case.
     *
     * @param queues at most 10,000
     */
    public CompletableFuture<Integer> uncleared(GroupName group, List<QueueName> queues) {
        return Call.start(connection, Operation.CLEARING, RequestMapper.clearing(group, queues), deadlineNanos);
    }

    /** Accepts no more calls and waits for those in flight, for a limited time. Idempotent. Blocks. */
    @Override
    public void close() {
        connection.close();
    }
}
