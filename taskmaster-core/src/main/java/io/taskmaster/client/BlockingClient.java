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
 * A {@link TaskMasterClient} for callers that wait: each method blocks until the reply is there, at most as long as the client's
 * deadline, and throws what the future would have failed with. Made for virtual threads: nothing is held while waiting.
 *
 * <p>An interrupt ends the wait with {@link ErrorCode#OUTCOME_UNKNOWN} and stays set on the thread. Thread-safe.
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

    /** Enqueues one task in its place in the order; one that is there already stays as it is. */
    public UpdateResult enqueue(QueueKey queue, Pid pid, Bytes data) {
        return await(() -> client.enqueue(queue, pid, data));
    }

    /** Enqueues one task at the end of the queue. */
    public UpdateResult enqueue(QueueKey queue, Bytes data) {
        return await(() -> client.enqueue(queue, data));
    }

    /** Ends a leased task. */
    public UpdateResult dequeue(LeasedTask task) {
        return await(() -> client.dequeue(task));
    }

    /** Makes the lease of a task end so much from now. */
    public UpdateResult renew(LeasedTask task, Duration length) {
        return await(() -> client.renew(task, length));
    }

    /** Gives a leased task back. */
    public UpdateResult release(LeasedTask task) {
        return await(() -> client.release(task));
    }

    /** Gives a leased task back, for later: nobody gets it before this point of time by the server's clock. */
    public UpdateResult release(LeasedTask task, Instant notBefore) {
        return await(() -> client.release(task, notBefore));
    }

    /** Gives a leased task back on which nobody has worked: the lease does not count as an attempt. */
    public UpdateResult releaseUntried(LeasedTask task) {
        return await(() -> client.releaseUntried(task));
    }

    /** Several independent updates and leases in one call; each has a result of its own, in the same order. */
    public List<BatchResult> batch(List<BatchOperation> operations) {
        return await(() -> client.batch(operations));
    }

    /** Leases available tasks, in PID order per queue, taken in turn from each; none if there are none. */
    public List<LeasedTask> lease(LeaseRequest request) {
        return await(() -> client.lease(request));
    }

    /** Names and sizes of queues. */
    public ListResult list(ListRequest request) {
        return await(() -> client.list(request));
    }

    /** Sizes, rates, ages, and who has leased what. */
    public DescribeResult describe(DescribeRequest request) {
        return await(() -> client.describe(request));
    }

    /** Tasks of one queue in PID order, without leasing them. */
    public PeekResult peek(PeekRequest request) {
        return await(() -> client.peek(request));
    }

    /** Deletes queues with all their tasks, in constant time. The reply says what each held. */
    public List<QueueSummary> delete(QueueSelector queues) {
        return await(() -> client.delete(queues));
    }

    /** Sets the lasting options of a queue, all of them. */
    public QueueOptions configure(QueueKey queue, QueueOptions options) {
        return await(() -> client.configure(queue, options));
    }

    /** How tasks flow between queues that are named alike. */
    public Flow flow() {
        return await(client::flow);
    }

    /** A page of the queues that hold tasks or have options of their own, in some order, and the sum of all. */
    public RankResult rank(RankRequest request) {
        return await(() -> client.rank(request));
    }

    /** How many of these queues were deleted and have something stored that is not cleared away yet. */
    public int uncleared(GroupName group, List<QueueName> queues) {
        return await(() -> client.uncleared(group, queues));
    }

    private static <T> T await(Supplier<CompletableFuture<T>> call) {
        if (Thread.currentThread() instanceof FastThreadLocalThread) {
            throw new IllegalStateException(
                    "thread: a network thread (expected: one that may block; build the client with an executor,"
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
            throw hereAndNow(failed);
        }
    }

    /** The error with the stack of the caller, which the one from the wire does not have. */
    private static TaskMasterException hereAndNow(ExecutionException failed) {
        if (failed.getCause() instanceof TaskMasterException error) {
            return new TaskMasterException(
                    error.code(),
                    String.valueOf(error.getMessage()),
                    error.retryAfter().orElse(null),
                    error);
        }
        return new TaskMasterException(ErrorCode.INTERNAL, "client: broken", null, failed);
    }
}
