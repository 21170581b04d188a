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
 * A connection to TaskMaster: the asynchronous face. {@link #blocking()} is the other one.
 *
 * <p>Every call has a deadline. A future completes with a reply, or with a {@link io.taskmaster.error.TaskMasterException} whose
 * code says what to do; what is safe to retry has been retried by then. Expected outcomes (nothing to lease, a lost lease, a
 * refused update) are replies. Cancelling a future cancels the call; whether the server does its part is then not known.
 *
 * <p>A request that was not done is sent again, after the delay that the server asks for and a growing back-off. One of which that
 * is not known (the connection broke, the attempt took too long, {@code OUTCOME_UNKNOWN}) is sent again if it can be repeated:
 * reads; options; updates that {@linkplain Update#isIdempotent() are idempotent} or have a {@linkplain RequestId request id}, which
 * {@linkplain TaskMasterClientBuilder#requestIds the client gives them}; batches of such. Leases and deletes are not. Only where
 * that does not settle it either does a future fail with an outcome that is unknown. Retries of an overloaded server are bounded to
 * a share of the calls ({@link TaskMasterClientBuilder#retryBudget}).
 *
 * <p>Futures complete on a network thread unless the client was built with an executor: what depends on them must not block, or
 * bring its own executor. Thread-safe; one client does for a whole process.
 */
public final class TaskMasterClient implements AutoCloseable {

    private final Connection connection;
    private final long deadlineNanos;
    private final String worker;
    private final RequestIdRule requestIds;
    private final BlockingClient blocking = new BlockingClient(this);

    /**
     * @param deadline of each call; a long poll has its wait on top
     * @param worker who we are, for humans
     */
    TaskMasterClient(Connection connection, Duration deadline, String worker, RequestIdRule requestIds) {
        this.connection = connection;
        this.deadlineNanos = Deadlines.nanos(deadline);
        this.worker = worker;
        this.requestIds = requestIds;
    }

    /** A client with the defaults. Connects with the first call. */
    public static TaskMasterClient connect(String target) {
        return builder(target).build();
    }

    /**
     * @param target {@code host:port}
     */
    public static TaskMasterClientBuilder builder(String target) {
        return new TaskMasterClientBuilder(target);
    }

    /** The same client, for callers that wait. */
    public BlockingClient blocking() {
        return blocking;
    }

    /** Applies all elements of an update, or none. Without a request id it gets one as the client was built to. */
    public CompletableFuture<UpdateResult> update(Update update) {
        return send(requestIds.identify(update), deadlineNanos);
    }

    private CompletableFuture<UpdateResult> send(Update update, long timeoutNanos) {
        return Call.start(connection, Repetition.of(update), RequestMapper.update(update), timeoutNanos);
    }

    /**
     * Several independent updates and leases in one call, in the order given per group; each is atomic on its own, and has a result
     * of its own, in the same order. An operation that fails is not retried by itself: its result says what a single call would
     * have thrown. The call as a whole is retried as a call is; a lease in it makes that impossible while its outcome is unknown.
     *
     * @param operations at most 10,000, and 32 MiB; no lease that waits
     */
    public CompletableFuture<List<BatchResult>> batch(List<BatchOperation> operations) {
        List<BatchOperation> identified =
                operations.stream().map(requestIds::identify).toList();
        return Call.start(
                connection, Repetition.of(identified), RequestMapper.batch(identified, worker), deadlineNanos);
    }

    /** Enqueues one task in its place in the order; one that is there already stays as it is. */
    public CompletableFuture<UpdateResult> enqueue(QueueKey queue, Pid pid, Bytes data) {
        return update(Update.in(queue.group()).enqueue(queue.name(), pid, data).build());
    }

    /** Enqueues one task at the end of the queue. */
    public CompletableFuture<UpdateResult> enqueue(QueueKey queue, Bytes data) {
        return update(Update.in(queue.group()).enqueue(queue.name(), data).build());
    }

    /** Ends a leased task. */
    public CompletableFuture<UpdateResult> dequeue(LeasedTask task) {
        return update(Update.in(task.queue().group()).dequeue(task).build());
    }

    /** Makes the lease of a task end so much from now. */
    public CompletableFuture<UpdateResult> renew(LeasedTask task, Duration length) {
        return update(Update.in(task.queue().group()).renew(task, length).build());
    }

    /** Gives a leased task back. */
    public CompletableFuture<UpdateResult> release(LeasedTask task) {
        return update(Update.in(task.queue().group()).release(task).build());
    }

    /** Gives a leased task back, for later: nobody gets it before this point of time by the server's clock. */
    public CompletableFuture<UpdateResult> release(LeasedTask task, Instant notBefore) {
        return update(Update.in(task.queue().group()).release(task, notBefore).build());
    }

    /** Gives a leased task back on which nobody has worked: the lease does not count as an attempt. */
    public CompletableFuture<UpdateResult> releaseUntried(LeasedTask task) {
        return update(Update.in(task.queue().group()).releaseUntried(task).build());
    }

    /**
     * A keeper that renews the leases handed to it until it is closed.
     *
     * @param length of a lease from each renewal on, from 100 ms to 7 days; a worker that dies holds its tasks for so long
     */
    public LeaseKeeper keepLeases(Duration length) {
        return new LeaseKeeper(this::send, connection.timer(), length);
    }

    /** Leases available tasks, in PID order per queue, taken in turn from each; none if there are none. */
    public CompletableFuture<List<LeasedTask>> lease(LeaseRequest request) {
        return Call.start(
                connection,
                Operation.LEASE,
                RequestMapper.lease(request, worker),
                deadlineNanos + Math.max(0, Deadlines.nanos(request.maxWait())));
    }

    /** Names and sizes of queues. */
    public CompletableFuture<ListResult> list(ListRequest request) {
        return Call.start(connection, Operation.LIST, RequestMapper.list(request), deadlineNanos);
    }

    /** Sizes, rates, ages, and who has leased what. */
    public CompletableFuture<DescribeResult> describe(DescribeRequest request) {
        return Call.start(connection, Operation.DESCRIBE, RequestMapper.describe(request), deadlineNanos);
    }

    /** Tasks of one queue in PID order, without leasing them. */
    public CompletableFuture<PeekResult> peek(PeekRequest request) {
        return Call.start(connection, Operation.PEEK, RequestMapper.peek(request), deadlineNanos);
    }

    /** Deletes queues with all their tasks, in constant time. The reply says what each held. */
    public CompletableFuture<List<QueueSummary>> delete(QueueSelector queues) {
        return Call.start(connection, Operation.DELETE, RequestMapper.delete(queues), deadlineNanos);
    }

    /**
     * Sets the lasting options of a queue, all of them. The reply is what was set.
     *
     * @param queue need not hold tasks
     */
    public CompletableFuture<QueueOptions> configure(QueueKey queue, QueueOptions options) {
        return Call.start(
                connection, Operation.configure(options), RequestMapper.configure(queue, options), deadlineNanos);
    }

    /** How tasks flow between queues that are named alike. */
    public CompletableFuture<Flow> flow() {
        return Call.start(connection, Operation.FLOW, FlowRequest.getDefaultInstance(), deadlineNanos);
    }

    /** A page of the queues that hold tasks or have options of their own, in some order, and the sum of all. */
    public CompletableFuture<RankResult> rank(RankRequest request) {
        return Call.start(connection, Operation.RANK, RequestMapper.rank(request), deadlineNanos);
    }

    /**
     * How many of these queues were deleted and have something stored that is not cleared away yet. Their tasks are gone whatever it says: this is
     * about space.
     *
     * @param queues at most 10,000
     */
    public CompletableFuture<Integer> uncleared(GroupName group, List<QueueName> queues) {
        return Call.start(connection, Operation.CLEARING, RequestMapper.clearing(group, queues), deadlineNanos);
    }

    /** Takes no more calls and waits for those in flight, for a limited time. Idempotent; blocks. */
    @Override
    public void close() {
        connection.close();
    }
}
