package io.taskmaster.testkit.history;

import com.google.protobuf.Message;

/**
 * A call as its client saw it. Immutable.
 *
 * @param number unique within a history; calls are numbered in the order of their invocation
 * @param client the name of the caller, for humans
 * @param invokedMicros the time at which it was about to be sent, in microseconds since the epoch
 * @param completedMicros the time at which its outcome was known; {@link #NEVER} if the client ended before
 * @param request a request of the contract
 * @param recordedOutcome its outcome
 */
public record RecordedCall(
        long number,
        String client,
        long invokedMicros,
        long completedMicros,
        Message request,
        RecordedOutcome recordedOutcome) {

    /** The time of an event that does not happen. */
    public static final long NEVER = Long.MAX_VALUE;

    public RecordedCall {
        if (completedMicros < invokedMicros) {
            throw new IllegalArgumentException("completedMicros: %d (expected: at least invokedMicros %d)"
                    .formatted(completedMicros, invokedMicros));
        }
    }

    /**
     * Returns this call with its outcome. If the clock was set back meanwhile, the time of completion is that of
     * invocation.
     */
    RecordedCall completed(long micros, RecordedOutcome known) {
        return new RecordedCall(number, client, invokedMicros, Math.max(micros, invokedMicros), request, known);
    }
}
