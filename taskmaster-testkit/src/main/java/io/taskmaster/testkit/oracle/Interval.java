package io.taskmaster.testkit.oracle;

/** A span of time in which something is certain of a task: after {@code from} and before {@code until}, both excluded. Immutable. */
record Interval(KeyHistory key, long from, long until) {

    /** Whether it is certain at whatever instant the operation took effect. */
    boolean covers(Span span) {
        return from < span.from() && span.until() < until;
    }
}
