package io.taskmaster.client;

import io.netty.util.concurrent.FastThreadLocalThread;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * The blocking API of a {@link TaskMasterClient}. Each method blocks until the reply arrives, at most for the client's
 * deadline, and throws the exception of the future. Suited to virtual threads: it holds no lock while it waits.
 *
 * <p>An interrupt ends the wait with {@link ErrorCode#OUTCOME_UNKNOWN}, and the thread stays interrupted. A call on a
 * network thread throws an {@link IllegalStateException}. Thread-safe.
 */
public final class BlockingClient {

    private final TaskMasterClient client;

    BlockingClient(TaskMasterClient client) {
        this.client = client;
    }

    /** Applies all elements of an update, or none. */
    public UpdateResult update(Update update) {
        return await(() -> client.update(update));
    }

    /** Enqueues one task. A task with this PID that is already queued stays as it is. */
    public UpdateResult enqueue(QueueKey queue, Pid pid, Bytes data) {
        return await(() -> client.enqueue(queue, pid, data));
    }

    /** Enqueues one task at the end of the queue, with a PID that the server assigns. */
    public UpdateResult enqueue(QueueKey queue, Bytes data) {
        return await(() -> client.enqueue(queue, data));
    }

    /** Dequeues a leased task, under its lease. */
    public UpdateResult dequeue(LeasedTask task) {
        return await(() -> client.dequeue(task));
    }

    /** Renews a lease: it expires this time from now. */
    public UpdateResult renew(LeasedTask task, Duration length) {
        return await(() -> client.renew(task, length));
    }

    /** Releases a leased task, which is available again at once. */
    public UpdateResult release(LeasedTask task) {
        return await(() -> client.release(task));
    }

    /** Releases a leased task with a not-before time, by the server's clock. */
    public UpdateResult release(LeasedTask task, Instant notBefore) {
        return await(() -> client.release(task, notBefore));
    }

    /** Releases a leased task that no handler has had: the lease does not count as an attempt. */
    public UpdateResult releaseUntried(LeasedTask task) {
        return await(() -> client.releaseUntried(task));
    }

    /** Sends independent updates and leases in one call. Returns their results in the same order. */
    public List<BatchResult> batch(List<BatchOperation> operations) {
        return await(() -> client.batch(operations));
    }

    /** Leases available tasks, in PID order per queue, round-robin over the queues; empty if there are none. */
    public List<LeasedTask> lease(LeaseRequest request) {
        return await(() -> client.lease(request));
    }

    /** Lists the names and sizes of queues. */
    public ListResult list(ListRequest request) {
        return await(() -> client.list(request));
    }

    /** Describes queues: sizes, rates, ages, and a sample of their leases. */
    public DescribeResult describe(DescribeRequest request) {
        return await(() -> client.describe(request));
    }

    /** Returns tasks of one queue in PID order, without leasing them. */
    public PeekResult peek(PeekRequest request) {
        return await(() -> client.peek(request));
    }

    /** Deletes queues with all their tasks, in constant time. Returns the sizes that they had. */
    public List<QueueSummary> delete(QueueSelector queues) {
        return await(() -> client.delete(queues));
    }

    /** Replaces the options of a queue. Returns the new options. */
    public QueueOptions configure(QueueKey queue, QueueOptions options) {
        return await(() -> client.configure(queue, options));
    }

    /** Returns the flow of tasks between families of queues. */
    public Flow flow() {
        return await(client::flow);
    }

    /** Returns a page of the queues that hold tasks or have options of their own, in some order, and their totals. */
    public RankResult rank(RankRequest request) {
        return await(() -> client.rank(request));
    }

    /** Returns the number of these queues that were deleted and still occupy storage. */
    public int uncleared(GroupName group, List<QueueName> queues) {
        return await(() -> client.uncleared(group, queues));
    }

    private static <T> T await(Supplier<CompletableFuture<T>> call) {
        if (Thread.currentThread() instanceof FastThreadLocalThread) {
            throw new IllegalStateException(
                    "thread: a network thread (expected: a thread that may block; build the client with an executor,"
                            + " or use the …Async methods of CompletableFuture)");
        }
        CompletableFuture<T> future = call.get();
        try {
            return future.get();
        } catch (InterruptedException interrupted) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new TaskMasterException(
                    ErrorCode.OUTCOME_UNKNOWN, "interrupted while waiting for the reply", null, interrupted);
        } catch (ExecutionException failed) {
            throw inCallersThread(failed);
        }
    }

    /** Wraps an error so that it has the stack trace of the caller, which the one from the wire lacks. */
    private static TaskMasterException inCallersThread(ExecutionException failed) {
        if (failed.getCause() instanceof TaskMasterException error) {
            return new TaskMasterException(
                    error.code(),
                    String.valueOf(error.getMessage()),
                    error.retryAfter().orElse(null),
                    error);
        }
        return new TaskMasterException(ErrorCode.INTERNAL, "client: internal error", null, failed);
    }
}
