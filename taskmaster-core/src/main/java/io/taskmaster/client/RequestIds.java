package io.taskmaster.client;

/**
 * The choice of the updates to which the client assigns a {@link RequestId} (16 random bytes, the same for all attempts
 * of a call), so that they can be repeated when their outcome is unknown: the connection broke, an attempt timed out,
 * or the server said so. An id of the caller is always kept. Remembering ids costs the server memory and, for a short
 * time, storage.
 */
public enum RequestIds {
    /**
     * None: an update whose outcome is unknown is repeated only if it {@linkplain Update#isIdempotent() is idempotent
     * by itself}.
     */
    NEVER,
    /**
     * Those that are not {@linkplain Update#isIdempotent() idempotent by themselves}. An idempotent one is repeated
     * without an id. If the repetition finds its leases gone, the first attempt may have been applied or the leases
     * lost, and the call fails with {@code OUTCOME_UNKNOWN}.
     */
    WHERE_NEEDED,
    /** All: then every reply is the first one, also that of an update under leases. */
    ALWAYS
}
