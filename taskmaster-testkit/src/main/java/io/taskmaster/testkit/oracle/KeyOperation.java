package io.taskmaster.testkit.oracle;

/**
 * An operation as it concerns one task. Compared by identity. Immutable.
 *
 * <p>Not a record: two operations of equal content are distinct.
 */
final class KeyOperation {

    private final Span span;
    private final Effect effect;
    private final Operation source;

    KeyOperation(Span span, Effect effect, Operation source) {
        this.span = span;
        this.effect = effect;
        this.source = source;
    }

    Span span() {
        return span;
    }

    Effect effect() {
        return effect;
    }

    /** Returns the operation of the history of which this is a part. */
    Operation source() {
        return source;
    }

    boolean isRead() {
        return effect instanceof Effect.SeenThere || effect instanceof Effect.SeenAbsent;
    }

    @Override
    public String toString() {
        return "%d: %s".formatted(span.call(), effect);
    }
}
