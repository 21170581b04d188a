package io.taskmaster.server.rpc;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.heap.OutOfMemory;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * What takes long and needs no partition's state, such as mapping a reply of thousands of tasks: it is done beside the partitions'
 * loops, which others wait for. Immutable.
 *
 * @param threads take as much work as there is: what is under way is bounded by the node's admission
 * @param elements of a reply with more of them the mapping is left to others: here it takes a few hundred microseconds
 * @param bytes likewise with more of data, which are copied on their way to the network
 * @param requestBytes a larger operation of a batch is not mapped on the loop of the one before it
 * @param lines of so many groups of a batch an operation waits to be decided at any time, so that those of other callers come in
 *     between
 */
record Aside(Executor threads, int elements, int bytes, int requestBytes, int lines) {

    private static final ThreadFactory FACTORY =
            Thread.ofVirtual().name("aside-", 0).factory();

    /** On virtual threads, with the sizes that were found to be right. */
    static final Aside DEFAULT = on(work -> FACTORY.newThread(work).start());

    /** The same elsewhere. */
    static Aside on(Executor threads) {
        return new Aside(threads, 200, 256 << 10, 16 << 10, 64);
    }

    /**
     * Does it beside the loops.
     *
     * @param failed is told if that fails, whatever it is: somebody waits for an answer
     */
    void run(Runnable work, Consumer<TaskMasterException> failed) {
        threads.execute(() -> {
            try {
                work.run();
            } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
                OutOfMemory.notice(e);
                failed.accept(UnaryCall.defect(e));
            }
        });
    }

    /** Whether to map a reply is too much for a partition's loop. */
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
