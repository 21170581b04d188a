package io.taskmaster.client;

/** What comes of sending a request again when it is not known whether it was done. */
enum Repeatability {
    /** It changes nothing. */
    READ,
    /** Done twice it does no more than done once, whatever others do in between. */
    IDEMPOTENT,
    /** Within its deduplication window the server does it once, because of its request id. */
    BY_REQUEST_ID,
    /** It could be done twice. */
    NEVER;

    boolean allowed() {
        return this != NEVER;
    }

    /** The weaker of two, for requests that are made of several. */
    Repeatability and(Repeatability other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
