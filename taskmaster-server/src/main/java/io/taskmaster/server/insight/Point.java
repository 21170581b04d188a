package io.taskmaster.server.insight;

/**
 * What some queues held together at one time, and what happened to their tasks in the span of time before. Immutable.
 *
 * @param atMillis since 1970: the end of the span
 * @param spanMillis how long it was, by a clock that does not jump
 * @param available might be leased then
 * @param oldestAgeMillis how old the oldest task that might be leased was, as far as known; 0 if there was none
 * @param enqueued in the span, like those that follow
 * @param leases without renewals
 * @param expired leases that ran out
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

    /** Nothing was there, and nothing happened. */
    static Point idle(long atMillis, long spanMillis) {
        return new Point(atMillis, spanMillis, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** This one and the next as one. */
    Point then(Point next) {
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

    /** How much went on: tasks that came, were leased and went. */
    long deeds() {
        return enqueued + leases + dequeued;
    }

    /** Of a number of the span. */
    public double perSecond(long count) {
        return (double) count * MILLIS_PER_SECOND / spanMillis;
    }
}
