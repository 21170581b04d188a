package io.taskmaster.testkit.oracle.model;

/**
 * An operation as it concerns one task. Compared by identity. Immutable.
 *
 * <p>Not a record: two operations of equal content are distinct.
 */
public final class KeyOperation {

    private final Span span;
    private final Effect effect;
    private final RecordedOperation source;

    KeyOperation(Span span, Effect effect, RecordedOperation source) {
        this.span = span;
        this.effect = effect;
        this.source = source;
    }

    public Span span() {
        return span;
    }

    public Effect effect() {
        return effect;
    }

    /** Returns the operation of the history of which this is a part. */
    public RecordedOperation source() {
        return source;
    }

    public boolean isRead() {
        return effect instanceof Effect.SeenThere || effect instanceof Effect.SeenAbsent;
    }

    @Override
    public String toString() {
        return "%d: %s".formatted(span.call(), effect);
    }
}
