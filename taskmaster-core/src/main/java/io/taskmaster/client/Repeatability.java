package io.taskmaster.client;

/** The safety of another attempt at a request whose outcome is unknown, from the strongest to the weakest. */
enum Repeatability {
    /** The request changes nothing. */
    READ,
    /** The request has the same effect once or twice, whatever other clients do in between. */
    IDEMPOTENT,
    /** The server applies the request once within its dedup window, because of its request id. */
    BY_REQUEST_ID,
    /** The request could be applied twice. */
    NEVER;

    boolean allowed() {
        return this != NEVER;
    }

    /** Returns the weaker of two, for requests with several parts. */
    Repeatability and(Repeatability other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
