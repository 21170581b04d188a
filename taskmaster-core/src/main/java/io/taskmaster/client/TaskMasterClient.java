package io.taskmaster.client;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A connection to TaskMaster: the asynchronous face. {@link #blocking()} is the other one.
 *
 * <p>Every call has a deadline. A future completes with a reply, or with a {@link io.taskmaster.error.TaskMasterException} whose
 * code says what to do; what is safe to retry has been retried by then. Expected outcomes (nothing to lease, a lost lease, a
 * refused update) are replies. Cancelling a future cancels the call; whether the server does its part is then not known.
 *
 * <p>Futures complete on a network thread unless the client was built with an executor: what depends on them must not block, or
 * bring its own executor. Thread-safe; one client does for a whole process.
 */
public final class TaskMasterClient implements AutoCloseable {

    private final Connection connection;
    private final long deadlineNanos;
    private final String worker;
    private final BlockingClient blocking = new BlockingClient(this);

    /**
     * @param deadline of each call; a long poll has its wait on top
     * @param worker who we are, for humans
     */
    TaskMasterClient(Connection connection, Duration deadline, String worker) {
        this.connection = connection;
        this.deadlineNanos = deadline.toNanos();
        this.worker = worker;
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

    /** Applies all elements of an update, or none. */
    public CompletableFuture<UpdateResult> update(Update update) {
        return Call.start(connection, Operation.UPDATE, RequestMapper.update(update), deadlineNanos);
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

    /** Leases available tasks, in PID order per queue; none if there are none. */
    public CompletableFuture<List<LeasedTask>> lease(LeaseRequest request) {
        return Call.start(
                connection,
                Operation.LEASE,
                RequestMapper.lease(request, worker),
                deadlineNanos + Math.max(0, request.maxWait().toNanos()));
    }

    /** Names and sizes of queues that hold tasks. */
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

    /** Takes no more calls and waits for those in flight, for a limited time. Idempotent; blocks. */
    @Override
    public void close() {
        connection.close();
    }
}
