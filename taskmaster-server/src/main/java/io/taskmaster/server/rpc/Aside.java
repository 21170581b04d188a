package io.taskmaster.server.rpc;

import io.taskmaster.server.engine.Reply;
import java.util.concurrent.Executor;

/**
 * What takes long and needs no partition's state, such as mapping a reply of thousands of tasks: it is done beside the partitions'
 * loops, which others wait for. Stateless.
 */
final class Aside {

    /** Of a reply with more elements the mapping is left to others: here it takes a few hundred microseconds. */
    static final int ELEMENTS = 200;

    /** Likewise with more bytes of data, which are copied on their way to the network. */
    static final int BYTES = 256 << 10;

    /** Takes as much work as there is: what is under way is bounded by the node's admission. */
    static final Executor THREADS = Thread.ofVirtual().name("aside-", 0)::start;

    private Aside() {}

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
                leased.tasks().size() > ELEMENTS
                        || leased.tasks().stream()
                                        .mapToLong(task -> task.payload().data().size())
                                        .sum()
                                > BYTES;
            case Reply.Peeked peeked ->
                peeked.tasks().size() > ELEMENTS
                        || peeked.tasks().stream()
                                        .mapToLong(task -> task.payload().data().size())
                                        .sum()
                                > BYTES;
            case Reply.Listed listed -> listed.queues().size() > ELEMENTS;
            case Reply.Described described -> isLarge(described);
            case Reply.Deleted deleted -> deleted.queues().size() > ELEMENTS;
            case Reply.Watched _, Reply.Configured _ -> false;
        };
    }

    private static boolean isLarge(Reply.Described described) {
        return described.queues().size() > ELEMENTS
                || described.queues().stream()
                                .mapToInt(queue -> queue.leasedSample().size())
                                .sum()
                        > ELEMENTS;
    }
}
