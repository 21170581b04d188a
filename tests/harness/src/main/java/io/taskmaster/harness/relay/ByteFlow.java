package io.taskmaster.harness.relay;

/** A direction of a connection. */
public enum ByteFlow {
    /** From clients to the server. */
    REQUESTS,
    /** From the server to clients. */
    REPLIES
}
