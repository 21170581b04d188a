package io.taskmaster.testkit.oracle.model;

/**
 * The time in which an operation took effect: some instant from its invocation to its completion. Immutable.
 *
 * @param call the number of the call that shows it
 * @param from microseconds since the epoch
 * @param until {@link #FAR} if it may take effect at any time, or never
 */
public record Span(long call, long from, long until) {

    /** A time after every event of a history, far enough from the largest number that durations can be added. */
    public static final long FAR = Long.MAX_VALUE / 4;

    public boolean isUnknown() {
        return until == FAR;
    }

    public boolean isBefore(Span other) {
        return until < other.from;
    }

    public boolean overlaps(Span other) {
        return from <= other.until && other.from <= until;
    }
}
