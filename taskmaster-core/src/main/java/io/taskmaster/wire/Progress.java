package io.taskmaster.wire;

/**
 * The progress of a call at the moment of its failure. A plain gRPC status does not tell it, and it decides whether a
 * retry is safe.
 *
 * <pre>{@code
 * state        | event                               | next
 * NOTHING_SENT | a stream on a live connection       | SENT
 * SENT         | trailers without a reply            | REFUSED
 * SENT         | headers of a reply                  | REPLY_BEGUN
 * }</pre>
 */
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
