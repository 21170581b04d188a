package io.taskmaster.stage;

import java.time.Duration;

/**
 * The reply of a {@link Sink} to an offered event. A refusal is never silent: the producer decides what happens to the
 * event. Immutable.
 */
public sealed interface Admission {

    /** The event was taken; the producer has no more to do with it. */
    enum Taken implements Admission {
        /** It is handled, or was. */
        ACCEPTED,
        /** Another handler, for times of overload, has handled it. */
        DEGRADED,
        /** It is on its way elsewhere, usually to a durable queue. If it does not get there, it is dropped. */
        SPILLED
    }

    /**
     * The event was refused; it still belongs to the producer.
     *
     * @param cause the reason
     * @param retryAfter the time after which another offer may succeed
     */
    record Refused(Cause cause, Duration retryAfter) implements Admission {}

    /** The reason of a refusal. */
    enum Cause {
        /** There is no free space for it. */
        FULL,
        /** There is free space, but the admission rule of the stage keeps it free. */
        NOT_ADMITTED,
        /** It costs more credits than the stage has in total. */
        TOO_LARGE,
        /** The stage is being removed, or is gone. */
        CLOSED,
        /** The producer was interrupted while it waited for free space. Its interrupt flag is still set. */
        INTERRUPTED
    }

    /** Returns whether the event was taken. */
    default boolean isTaken() {
        return this instanceof Taken;
    }
}
