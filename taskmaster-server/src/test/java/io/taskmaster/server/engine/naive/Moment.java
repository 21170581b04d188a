package io.taskmaster.server.engine.naive;

/**
 * When a command was decided: at {@code nowMillis}, on the clock of whoever decided it. A judge that sees only the request and its
 * answer tries several; enqueue times, on which nothing depends, it holds to the range. Immutable.
 */
public record Moment(long nowMillis, long earliestMillis, long latestMillis) {

    public Moment {
        if (earliestMillis > nowMillis || nowMillis > latestMillis) {
            throw new IllegalArgumentException(
                    "moment: " + nowMillis + " (expected: " + earliestMillis + " to " + latestMillis + ")");
        }
    }

    /** A moment that is known. */
    public static Moment at(long nowMillis) {
        return new Moment(nowMillis, nowMillis, nowMillis);
    }
}
