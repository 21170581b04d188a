package io.taskmaster.server.engine.rank;

import io.taskmaster.server.engine.state.QueueState;

/**
 * The criterion by which queues are ranked. The value that is compared changes only when something happens to a queue,
 * and not as time goes by: rates decay alike, and of ages the instants are compared. So the place behind which a page
 * ended is still a place when the next page is requested.
 */
public enum RankOrder {
    /** Group, then name. */
    NAME,
    AVAILABLE,
    LEASED,
    DELAYED,
    /** The tasks of all states. */
    TASKS,
    /** Age of the oldest available task, as far as known; none is the youngest. */
    OLDEST,
    ENQUEUE_RATE,
    LEASE_RATE,
    DEQUEUE_RATE,
    EXPIRED_LEASES;

    /** Returns a number that compares as the queues do; equal where only their names decide. */
    long rankOf(QueueState queue) {
        return switch (this) {
            case NAME -> 0;
            case AVAILABLE -> queue.availableNow();
            case LEASED -> queue.leasedNow();
            case DELAYED -> queue.delayedNow();
            case TASKS -> queue.total();
            case OLDEST -> -queue.oldestReadyMillis();
            case ENQUEUE_RATE -> comparable(queue.rates().enqueuesMark());
            case LEASE_RATE -> comparable(queue.rates().leasesMark());
            case DEQUEUE_RATE -> comparable(queue.rates().dequeuesMark());
            case EXPIRED_LEASES -> queue.rates().expiredLeases();
        };
    }

    /** Maps a number to a long of the same order: the bits of negative numbers are in the opposite order. */
    private static long comparable(double number) {
        long bits = Double.doubleToLongBits(number);
        return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
    }
}
