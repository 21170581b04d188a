package io.taskmaster.testkit.oracle;

/**
 * The time in which an operation took effect: some instant from its invocation to its completion. Immutable.
 *
 * @param call the number of the call that shows it
 * @param from microseconds since the epoch
 * @param until {@link #FAR} if it may take effect at any time, or never
 */
record Span(long call, long from, long until) {

    /** A time after every event of a history, far enough from the largest number that durations can be added. */
    static final long FAR = Long.MAX_VALUE / 4;

    boolean isUnknown() {
        return until == FAR;
    }

    boolean isBefore(Span other) {
        return until < other.from;
    }

    boolean overlaps(Span other) {
        return from <= other.until && other.from <= until;
    }
}
