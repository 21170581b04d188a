package io.taskmaster.server.rpc;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.Reply;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * What takes long and needs no partition's state, such as mapping a reply of thousands of tasks: it is done beside the partitions'
 * loops, which others wait for. Stateless.
 */
final class Aside {

    /** Of a reply with more elements the mapping is left to others: here it takes a few hundred microseconds. */
    static final int ELEMENTS = 200;

    /** Likewise with more bytes of data, which are copied on their way to the network. */
    static final int BYTES = 256 << 10;

    private static final ThreadFactory FACTORY =
            Thread.ofVirtual().name("aside-", 0).factory();

    /** Takes as much work as there is: what is under way is bounded by the node's admission. */
    static final Executor THREADS = work -> FACTORY.newThread(work).start();

    private Aside() {}

    /**
     * Does it beside the loops.
     *
     * @param failed is told if that fails, whatever it is: somebody waits for an answer
     */
    static void run(Runnable work, Consumer<TaskMasterException> failed) {
        THREADS.execute(() -> {
            try {
                work.run();
            } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
                failed.accept(UnaryCall.defect(e));
            }
        });
    }

    /** Whether to map a reply is too much for a partition's loop. */
    static boolean isLarge(Reply reply) {
        return switch (reply) {
            case Reply.Updated updated ->
                updated.enqueues().size()
                                + updated.dequeues().size()
                                + updated.renewals().size()
                                + updated.releases().size()
                        > ELEMENTS;
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
            case Reply.Listed listed -> listed.queues().size() > ELEMENTS;
            case Reply.Described described -> isLarge(described);
            case Reply.Deleted deleted -> deleted.queues().size() > ELEMENTS;
            case Reply.Watched _, Reply.Configured _ -> false;
        };
    }

    private static boolean isLarge(LongStream bytes, int tasks) {
        return tasks > ELEMENTS || bytes.sum() > BYTES;
    }

    private static boolean isLarge(Reply.Described described) {
        return described.queues().size() > ELEMENTS
                || described.queues().stream()
                                .mapToInt(queue -> queue.leasedSample().size())
                                .sum()
                        > ELEMENTS;
    }
}
