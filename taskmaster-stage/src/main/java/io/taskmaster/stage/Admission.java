package io.taskmaster.stage;

import java.time.Duration;

/** What a {@link Sink} says to an event. A refusal is never silent: the producer decides what becomes of the event. Immutable. */
public sealed interface Admission {

    /** The producer is rid of it. */
    enum Taken implements Admission {
        /** It is going to be handled, or was. */
        ACCEPTED,
        /** Another handler, for times of overload, has handled it. */
        DEGRADED,
        /** It is on its way elsewhere, most often to a durable queue; if it does not get there, it is dropped. */
        SPILLED
    }

    /**
     * It is still the producer's.
     *
     * @param retryAfter when it may be worth another try
     */
    record Refused(Cause cause, Duration retryAfter) implements Admission {}

    /** Why an event is refused. */
    enum Cause {
        /** There is no room for it. */
        FULL,
        /** There is room, and the admission rule of the stage keeps it free. */
        NOT_ADMITTED,
        /** It costs more than the stage ever has room for. */
        TOO_LARGE,
        /** The stage is being removed, or is gone. */
        CLOSED,
        /** The producer was interrupted while it waited for room; it still is. */
        INTERRUPTED
    }

    default boolean isTaken() {
        return this instanceof Taken;
    }
}
