package io.taskmaster.testkit.oracle.search;

import io.taskmaster.testkit.oracle.model.KeyOperation;
import io.taskmaster.testkit.oracle.model.Span;
import org.jspecify.annotations.Nullable;

/**
 * A hypothesis about one operation, imposed while a task is explained. Immutable.
 *
 * @param subject the operation; null if there is no hypothesis
 * @param applied whether it took effect; null: as its span says
 * @param from it took effect no earlier
 * @param until it took effect no later
 * @param after an operation that precedes it, if it took effect; null: unconstrained
 * @param before an operation that follows it, if it took effect; null: unconstrained
 * @param horizon operations that complete later than this count as not yet completed
 */
public record Constraint(
        @Nullable KeyOperation subject,
        @Nullable Boolean applied,
        long from,
        long until,
        @Nullable KeyOperation after,
        @Nullable KeyOperation before,
        long horizon) {

    public static final Constraint NONE = upTo(Span.FAR);

    public static Constraint upTo(long horizon) {
        return new Constraint(null, null, Long.MIN_VALUE, Span.FAR, null, null, horizon);
    }

    /** Returns the hypothesis that it took effect within both its span and this one. */
    public static Constraint applied(KeyOperation subject, long from, long until) {
        return new Constraint(subject, true, from, until, null, null, Span.FAR);
    }

    /** Returns the hypothesis that it took effect no earlier than this, if at all. */
    public static Constraint notBefore(KeyOperation subject, long from) {
        return new Constraint(subject, null, from, Span.FAR, null, null, Span.FAR);
    }

    /** Returns the hypothesis that it took effect, and did so before another operation. */
    public static Constraint before(KeyOperation subject, KeyOperation other) {
        return new Constraint(subject, true, Long.MIN_VALUE, Span.FAR, null, other, Span.FAR);
    }

    /** Returns the hypothesis that it took effect after another operation, if at all. */
    public static Constraint after(KeyOperation subject, KeyOperation other) {
        return new Constraint(subject, null, Long.MIN_VALUE, Span.FAR, other, null, Span.FAR);
    }
}
