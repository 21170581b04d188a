package io.taskmaster.stage.net;

import java.time.Duration;

/**
 * The reason why a connection has ended. Immutable.
 *
 * @param text a message for display
 */
public record CloseReason(Cause cause, String text) {

    /** The cause of an ending. */
    public enum Cause {
        /** It was closed here, after all messages in flight were answered. */
        CLOSED,
        /** Its peer closed it. */
        PEER,
        /** Its peer closed it in the middle of a message. */
        CUT,
        /** It broke: a reset, or no route to the peer. */
        BROKEN,
        /** Its peer did not read what it got. */
        CLOGGED,
        /** Its peer did not finish a message while the memory of the endpoint was used up and others waited for it. */
        STALLED,
        /** A message was too long. */
        TOO_LONG,
        /** No byte passed for too long. */
        IDLE,
        /** The sink will never take its message: it is closed, or the message costs more than its capacity. */
        UNWANTED,
        /** It was {@linkplain PeerConnection#abort aborted} here. */
        ABORTED,
        /** It was to be closed, and its messages in flight were not answered, or the answers not read, in time. */
        DEADLINE,
        /** An error on this side: the sink threw, or there is a bug. It is in the log. */
        FAILED
    }

    static CloseReason byPeer() {
        return new CloseReason(Cause.PEER, "the peer closed the connection");
    }

    static CloseReason clogged(long waitingBytes, Duration after) {
        return new CloseReason(
                Cause.CLOGGED,
                "%d bytes waiting for the peer for %s (expected: a peer that reads)".formatted(waitingBytes, after));
    }

    static CloseReason idle(Duration length) {
        return new CloseReason(Cause.IDLE, "idle for %s".formatted(length));
    }
}
