package io.taskmaster.client;

/**
 * Which updates the client gives a {@link RequestId} of its own (16 random bytes, the same over all retries of a call), so that they
 * can be repeated when it is not known whether they were applied: the connection broke, an attempt took too long, or the server
 * said so. An id that the caller brings is always kept. Remembering ids costs the server memory and, for a short while, storage.
 */
public enum RequestIds {
    /** None: an update whose outcome is unknown is repeated only if it {@linkplain Update#isIdempotent() is idempotent by itself}. */
    NEVER,
    /**
     * Those that are not {@linkplain Update#isIdempotent() idempotent by themselves}. An idempotent one is repeated without an id;
     * should the repetition find its leases gone, the first attempt was applied or the leases were lost, nobody can tell, and the
     * caller is told {@code OUTCOME_UNKNOWN}.
     */
    WHERE_NEEDED,
    /** All: then every reply is the first one, also that of an update under leases. */
    ALWAYS
}
