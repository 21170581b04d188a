package io.taskmaster.server.engine.state;

import io.taskmaster.model.QueueKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BiConsumer;

/**
 * The statistics of queues that became empty and were forgotten, for when they come back: a queue from which tasks are
 * taken as fast as they come is empty time and again. Only the busiest are kept, so that memory is bounded.
 * Single-threaded: owned by {@link Queues}.
 */
public final class RemovedQueueStats {

    /** The number of queues kept. */
    static final int MAX = 64;

    private record Departure(QueueKey queue, Rates rates, double mark) {}

    private final Map<QueueKey, Departure> byQueue = new HashMap<>();
    private final PriorityQueue<Departure> idlestFirst =
            new PriorityQueue<>(1, Comparator.comparingDouble(Departure::mark));

    /** Takes over the statistics of a queue that is forgotten. */
    void add(QueueKey queue, Rates rates) {
        Departure removed = new Departure(queue, rates, rates.operationsMark());
        if (removed.mark == Double.NEGATIVE_INFINITY) {
            return;
        }
        if (byQueue.size() == MAX) {
            if (removed.mark <= idlestFirst.element().mark) {
                return;
            }
            byQueue.remove(idlestFirst.remove().queue);
        }
        byQueue.put(queue, removed);
        idlestFirst.add(removed);
    }

    /** Returns the statistics of a queue that is there from now on. */
    Rates take(QueueKey queue) {
        Departure removed = byQueue.remove(queue);
        if (removed == null) {
            return new Rates();
        }
        idlestFirst.remove(removed);
        return removed.rates;
    }

    public void forEach(BiConsumer<QueueKey, Rates> action) {
        byQueue.values().forEach(removed -> action.accept(removed.queue, removed.rates));
    }
}
