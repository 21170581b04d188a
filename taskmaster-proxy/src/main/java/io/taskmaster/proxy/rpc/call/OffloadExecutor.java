package io.taskmaster.proxy.rpc.call;

import io.taskmaster.command.Reply;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.heap.OutOfMemory;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Executor of work that takes long and needs no partition's state, such as mapping a reply of thousands of tasks. It is
 * offloaded from the partitions' loops, for which other requests wait; the other components are the sizes from which
 * work is offloaded. See ADR 9. Immutable.
 *
 * @param threads run any amount of work at once: the work in flight is bounded by the node's admission control
 * @param elements a reply with more elements is mapped off the loop: on it, that many take a few hundred microseconds
 * @param bytes a reply with more bytes of data is mapped off the loop too, since data are copied on their way to the
 *     network
 * @param requestBytes an operation of a batch with more bytes is mapped off the loop of the operation before it
 * @param maxOpenGroups the number of groups of one batch with an operation waiting to be decided at any time, so that
 *     requests of other callers come in between
 */
public record OffloadExecutor(Executor threads, int elements, int bytes, int requestBytes, int maxOpenGroups) {

    private static final ThreadFactory FACTORY =
            Thread.ofVirtual().name("aside-", 0).factory();

    /** Virtual threads, with sizes found by measurement. */
    public static final OffloadExecutor DEFAULT =
            on(work -> FACTORY.newThread(work).start());

    /** Returns the default sizes with another executor. */
    public static OffloadExecutor on(Executor threads) {
        return new OffloadExecutor(threads, 200, 256 << 10, 16 << 10, 64);
    }

    /**
     * Runs work off the loops.
     *
     * @param failed receives any failure of the work, errors of memory and stack included: a caller waits for an answer
     */
    public void run(Runnable work, Consumer<TaskMasterException> failed) {
        threads.execute(() -> {
            try {
                work.run();
            } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
                OutOfMemory.notice(e);
                failed.accept(UnaryCall.defect(e));
            }
        });
    }

    /** Returns whether the mapping of a reply takes too long for a partition's loop. */
    boolean isLarge(Reply reply) {
        return switch (reply) {
            case Reply.Updated updated ->
                updated.enqueues().size()
                                + updated.dequeues().size()
                                + updated.renewals().size()
                                + updated.releases().size()
                        > elements;
            case Reply.Leased leased ->
                isLarge(
                        leased.tasks().stream()
                                .mapToLong(task -> task.payload().data().size()),
                        leased.tasks().size());
            case Reply.Peeked peeked ->
                isLarge(
                        peeked.tasks().stream()
                                .mapToLong(task -> task.payload().data().size()),
                        peeked.tasks().size());
            case Reply.Listed listed -> listed.queues().size() > elements;
            case Reply.Described described -> isLarge(described);
            case Reply.Deleted deleted -> deleted.queues().size() > elements;
            case Reply.Watched _, Reply.Configured _ -> false;
        };
    }

    private boolean isLarge(LongStream dataBytes, int tasks) {
        return tasks > elements || dataBytes.sum() > bytes;
    }

    private boolean isLarge(Reply.Described described) {
        return described.queues().size() > elements
                || described.queues().stream()
                                .mapToInt(queue -> queue.leasedSample().size())
                                .sum()
                        > elements;
    }
}
