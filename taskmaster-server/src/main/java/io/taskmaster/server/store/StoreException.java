package io.taskmaster.server.store;

import org.jspecify.annotations.Nullable;

/** A failure of a store operation. Immutable. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The knowledge about the operation that failed. */
    public enum Outcome {
        /** Definitely not applied, now or later. The operation may be retried. */
        REFUSED,
        /** Possibly applied, or still to be applied. */
        UNKNOWN,
        /** The stored data cannot be trusted. Not applied, and a retry is of no use. */
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
