package io.taskmaster.stage.net;

/**
 * Why a connection has ended. Immutable.
 *
 * @param text for people
 */
public record Ending(Cause cause, String text) {

    /** What happened. */
    public enum Cause {
        /** We closed it, after all that was in hand was answered. */
        CLOSED,
        /** Its peer closed it. */
        PEER,
        /** Its peer closed it in the middle of a message. */
        CUT,
        /** It broke: a reset, or no way to the peer. */
        BROKEN,
        /** Its peer did not read what it got. */
        CLOGGED,
        /** Its peer did not finish a message, for which the memory of the endpoint was used that others waited for. */
        STALLED,
        /** A message was too long. */
        TOO_LONG,
        /** Nothing went over it for too long. */
        IDLE,
        /** The sink will never take what it brings: it is closed, or the message costs more than it has room for. */
        UNWANTED,
        /** We {@linkplain Connection#abort gave it up}. */
        ABORTED,
        /** It was to be closed, and what was in hand was not answered, or not read, in time. */
        DEADLINE,
        /** Something failed here: the sink threw, or we have an error. It is in the log. */
        FAILED
    }
}
