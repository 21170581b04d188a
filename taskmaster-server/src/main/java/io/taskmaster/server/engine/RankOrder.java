package io.taskmaster.server.engine;

/**
 * By what queues are ranked. What is compared changes only when something happens to a queue, and not as time goes by: rates fade alike,
 * and of ages it is the instants that count. So the place behind which a page ended is still a place when the next one is asked for.
 */
public enum RankOrder {
    /** Group, then name. */
    NAME,
    AVAILABLE,
    LEASED,
    DELAYED,
    /** Of all states. */
    TASKS,
    /** Age of the oldest available task, as far as known; none is the youngest. */
    OLDEST,
    ENQUEUE_RATE,
    LEASE_RATE,
    DEQUEUE_RATE,
    EXPIRED_LEASES;

    /** Compares as the queues do; equal where only their names tell. */
    long rankOf(QueueState queue) {
        return switch (this) {
            case NAME -> 0;
            case AVAILABLE -> queue.availableNow();
            case LEASED -> queue.leasedNow();
            case DELAYED -> queue.delayed - queue.due;
            case TASKS -> queue.total();
            case OLDEST -> -queue.oldestReadyMillis();
            case ENQUEUE_RATE -> comparable(queue.rates.enqueuesMark());
            case LEASE_RATE -> comparable(queue.rates.leasesMark());
            case DEQUEUE_RATE -> comparable(queue.rates.dequeuesMark());
            case EXPIRED_LEASES -> queue.rates.expiredLeases();
        };
    }

    /** The bits of negative numbers are in the opposite order. */
    private static long comparable(double number) {
        long bits = Double.doubleToLongBits(number);
        return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
    }
}
