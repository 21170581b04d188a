package io.taskmaster.server.engine;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command.Selector;
import io.taskmaster.server.engine.Reply.Leased;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is among the queues that a selector chooses: each lease begins behind the queue that the one before, with the same
 * selector, ended with. So of so many queues that hold tasks, each is served once in as many tasks. Lost on a restart.
 * Single-threaded: owned by its partition.
 */
public final class Turns {

    /** So many selectors are remembered; those not used for longest begin anywhere. */
    private static final int MAX_SELECTORS = 1024;

    private final LinkedHashMap<Selector, QueueKey> served = new LinkedHashMap<>(16, 0.75f, true);

    Turns() {}

    /** The queue that was leased from last; null if that is not known. */
    @Nullable
    QueueKey last(Selector selector) {
        return served.get(selector);
    }

    /** A lease was granted. */
    public void taken(Selector selector, Leased reply) {
        boolean several = selector.names().size() != 1 || selector.pattern().isPresent();
        if (several && !reply.tasks().isEmpty()) {
            served.put(selector, reply.tasks().getLast().queue());
            if (served.size() > MAX_SELECTORS) {
                served.pollFirstEntry();
            }
        }
    }
}
