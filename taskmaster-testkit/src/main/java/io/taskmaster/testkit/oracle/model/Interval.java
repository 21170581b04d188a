package io.taskmaster.testkit.oracle.model;

/**
 * An open interval of time in which a fact about a task is certain: after {@code from} and before {@code until}.
 * Immutable.
 */
public record Interval(KeyHistory key, long from, long until) {

    /** Returns whether the fact is certain at every instant at which the operation may have taken effect. */
    public boolean covers(Span span) {
        return from < span.from() && span.until() < until;
    }
}
