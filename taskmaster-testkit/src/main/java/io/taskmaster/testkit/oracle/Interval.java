package io.taskmaster.testkit.oracle;

/**
 * An open interval of time in which a fact about a task is certain: after {@code from} and before {@code until}.
 * Immutable.
 */
record Interval(KeyHistory key, long from, long until) {

    /** Returns whether the fact is certain at every instant at which the operation may have taken effect. */
    boolean covers(Span span) {
        return from < span.from() && span.until() < until;
    }
}
