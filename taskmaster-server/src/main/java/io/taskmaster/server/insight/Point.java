package io.taskmaster.server.insight;

/**
 * A point of a history: the tasks of some queues at one time, and their events in the span before it. Immutable.
 *
 * @param atMillis the end of the span, in milliseconds since 1970
 * @param spanMillis the length of the span, by a monotonic clock
 * @param available the number of available tasks at that time
 * @param leased the number of leased tasks at that time
 * @param delayed the number of delayed tasks at that time
 * @param oldestAgeMillis the age of the oldest available task, as far as known; 0 if there is none
 * @param enqueued the number of tasks enqueued in the span
 * @param leases the number of leases in the span, without renewals
 * @param dequeued the number of tasks dequeued in the span
 * @param expired the number of leases that expired in the span
 */
public record Point(
        long atMillis,
        long spanMillis,
        long available,
        long leased,
        long delayed,
        long oldestAgeMillis,
        long enqueued,
        long leases,
        long dequeued,
        long expired) {

    private static final double MILLIS_PER_SECOND = 1_000;

    /** Returns a point of no tasks and no events. */
    static Point idle(long atMillis, long spanMillis) {
        return new Point(atMillis, spanMillis, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Returns this point and the next one, merged. */
    Point followedBy(Point next) {
        return new Point(
                next.atMillis,
                spanMillis + next.spanMillis,
                next.available,
                next.leased,
                next.delayed,
                next.oldestAgeMillis,
                enqueued + next.enqueued,
                leases + next.leases,
                dequeued + next.dequeued,
                expired + next.expired);
    }

    /** Returns the activity: the number of tasks enqueued, leased and dequeued. */
    long operations() {
        return enqueued + leases + dequeued;
    }

    /** Returns the rate of a count of the span. */
    public double perSecond(long count) {
        return (double) count * MILLIS_PER_SECOND / spanMillis;
    }
}
