package io.taskmaster.wire;

/** How far a call had come when it failed: what a plain gRPC status does not say, and what decides whether a retry is safe. */
public enum Progress {
    /** The request was never handed to a connection. */
    NOTHING_SENT,
    /** The request may have reached the server; nothing came back. */
    SENT,
    /** The server closed the call without starting a reply. */
    REFUSED,
    /** The server started a reply, so its part is done. */
    REPLY_BEGUN
}
