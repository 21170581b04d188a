package io.taskmaster.testkit.oracle;

import org.jspecify.annotations.Nullable;

/**
 * Something to suppose of one operation while a task is explained. Immutable.
 *
 * @param subject of what; null: nothing is supposed
 * @param applied whether it took effect; null: as its span says
 * @param from it took effect no earlier
 * @param until it took effect no later
 * @param after what it comes after, if it took effect; null: anything
 * @param before what it comes before, if it took effect; null: anything
 * @param horizon what is completed later than this is not known yet
 */
record Constraint(
        @Nullable KeyOperation subject,
        @Nullable Boolean applied,
        long from,
        long until,
        @Nullable KeyOperation after,
        @Nullable KeyOperation before,
        long horizon) {

    static final Constraint NONE = upTo(Span.FAR);

    static Constraint upTo(long horizon) {
        return new Constraint(null, null, Long.MIN_VALUE, Span.FAR, null, null, horizon);
    }

    /** It took effect, within its span and this one. */
    static Constraint applied(KeyOperation subject, long from, long until) {
        return new Constraint(subject, true, from, until, null, null, Span.FAR);
    }

    /** If it took effect, then no earlier than this. */
    static Constraint notBefore(KeyOperation subject, long from) {
        return new Constraint(subject, null, from, Span.FAR, null, null, Span.FAR);
    }

    /** It took effect, and that before another did. */
    static Constraint before(KeyOperation subject, KeyOperation other) {
        return new Constraint(subject, true, Long.MIN_VALUE, Span.FAR, null, other, Span.FAR);
    }

    /** If it took effect, then after another did. */
    static Constraint after(KeyOperation subject, KeyOperation other) {
        return new Constraint(subject, null, Long.MIN_VALUE, Span.FAR, other, null, Span.FAR);
    }
}
