package io.taskmaster.server.engine.index;

import io.taskmaster.server.engine.state.QueueState;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.TreeSet;

/**
 * The busiest queues, as of the last look at each. A queue that is no leader can become one only if more happens in it,
 * since its mark stays the same until then. So only queues in which something has happened need a look.
 * Single-threaded: owned by {@link ActivityIndex}.
 */
public final class TopQueues {

    /** A leader, with its mark as of the last look. */
    public record Leader(boolean isPreferred, double mark, QueueState queue) {

        private static final Comparator<Leader> IDLEST_FIRST = Comparator.comparing(Leader::isPreferred)
                .thenComparingDouble(Leader::mark)
                .thenComparing(leader -> leader.queue.key(), Comparator.reverseOrder());
    }

    private final int max;
    private final TreeSet<Leader> idlestFirst = new TreeSet<>(Leader.IDLEST_FIRST);
    private final IdentityHashMap<QueueState, Leader> byQueue = new IdentityHashMap<>();

    TopQueues(int max) {
        this.max = max;
    }

    /** Puts a queue that was looked at, and drops the idlest leader if there are too many. */
    void put(QueueState queue, boolean isPreferred) {
        remove(queue);
        Leader leader = new Leader(isPreferred, queue.rates().operationsMark(), queue);
        idlestFirst.add(leader);
        byQueue.put(queue, leader);
        // The one that leaves may be the one that was just put.
        if (idlestFirst.size() > max) {
            byQueue.remove(idlestFirst.removeFirst().queue);
        }
    }

    /** Removes a queue. */
    void remove(QueueState queue) {
        Leader former = byQueue.remove(queue);
        if (former != null) {
            idlestFirst.remove(former);
        }
    }

    public Collection<Leader> all() {
        return idlestFirst;
    }
}
