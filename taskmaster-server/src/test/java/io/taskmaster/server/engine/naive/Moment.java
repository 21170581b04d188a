package io.taskmaster.server.engine.naive;

/**
 * The time at which a command was decided: {@code nowMillis}, on the clock of the partition's owner. A judge that sees
 * only the request and its answer tries several. Enqueue times, on which nothing depends, are checked against the
 * range. Immutable.
 */
public record Moment(long nowMillis, long earliestMillis, long latestMillis) {

    public Moment {
        if (earliestMillis > nowMillis || nowMillis > latestMillis) {
            throw new IllegalArgumentException(
                    "moment: " + nowMillis + " (expected: " + earliestMillis + " to " + latestMillis + ")");
        }
    }

    /** Returns a moment that is known exactly. */
    public static Moment at(long nowMillis) {
        return new Moment(nowMillis, nowMillis, nowMillis);
    }
}
