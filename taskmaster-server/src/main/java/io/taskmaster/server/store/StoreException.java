package io.taskmaster.server.store;

import org.jspecify.annotations.Nullable;

/** A store operation that did not succeed. Immutable. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is known of the operation. */
    public enum Outcome {
        /** Definitely not applied, now or later: it may be tried again. */
        REFUSED,
        /** Applied, or not, or to be applied yet: nobody knows. */
        UNKNOWN,
        /** What is stored cannot be trusted. Not applied, and trying again is no use. */
        CORRUPT
    }

    private final Outcome outcome;

    public StoreException(Outcome outcome, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.outcome = outcome;
    }

    public Outcome outcome() {
        return outcome;
    }
}
