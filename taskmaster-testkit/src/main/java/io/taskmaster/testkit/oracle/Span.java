package io.taskmaster.testkit.oracle;

/**
 * When an operation took effect: at some instant from its invocation to its completion. Immutable.
 *
 * @param call the number of the call that shows it
 * @param from microseconds since the epoch
 * @param until {@link #FAR} if it may take effect at any time, or never
 */
record Span(long call, long from, long until) {

    /** After all that happens in a history; far enough from the largest number that spans of time may be added. */
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
