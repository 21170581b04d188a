package io.taskmaster.server.engine;

import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.TreeSet;

/**
 * The queues in which most goes on. Whoever is no leader becomes one only when more happens there, since {@linkplain Rates#deedsMark() what is known} of a queue stays the same until then; so
 * only those need be looked at in which something happened. Single-threaded: owned by {@link Standings}.
 */
final class Leaders {

    /** One of them, and what was known of it when it was looked at. */
    record Leader(boolean isPreferred, double mark, QueueState queue) {

        private static final Comparator<Leader> IDLEST_FIRST = Comparator.comparing(Leader::isPreferred)
                .thenComparingDouble(Leader::mark)
                .thenComparing(leader -> leader.queue.key, Comparator.reverseOrder());
    }

    private final int max;
    private final TreeSet<Leader> idlestFirst = new TreeSet<>(Leader.IDLEST_FIRST);
    private final IdentityHashMap<QueueState, Leader> byQueue = new IdentityHashMap<>();

    Leaders(int max) {
        this.max = max;
    }

    /** This queue was looked at. */
    void put(QueueState queue, boolean isPreferred) {
        remove(queue);
        Leader leader = new Leader(isPreferred, queue.rates.deedsMark(), queue);
        idlestFirst.add(leader);
        byQueue.put(queue, leader);
        if (idlestFirst.size() > max) {
            byQueue.remove(idlestFirst.removeFirst().queue);
        }
    }

    /** This queue is none of them. */
    void remove(QueueState queue) {
        Leader former = byQueue.remove(queue);
        if (former != null) {
            idlestFirst.remove(former);
        }
    }

    Collection<Leader> all() {
        return idlestFirst;
    }
}
