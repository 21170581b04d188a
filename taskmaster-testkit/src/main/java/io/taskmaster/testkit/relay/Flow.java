package io.taskmaster.testkit.relay;

/** One of the two directions of a connection. */
public enum Flow {
    /** From clients to the server. */
    REQUESTS,
    /** From the server to clients. */
    REPLIES
}
