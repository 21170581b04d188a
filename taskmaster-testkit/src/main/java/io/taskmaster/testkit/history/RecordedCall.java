package io.taskmaster.testkit.history;

import com.google.protobuf.Message;

/**
 * One call as the client saw it. Immutable.
 *
 * @param number tells the calls of a history apart; they are numbered in the order in which they were invoked
 * @param client who asked: a name for humans
 * @param invokedMicros when it was about to be sent, in microseconds since the epoch
 * @param completedMicros when its outcome was known; {@link #NEVER} if nobody was there any more to hear of it
 * @param request a request of the contract
 * @param outcome what came of it
 */
public record RecordedCall(
        long number, String client, long invokedMicros, long completedMicros, Message request, Outcome outcome) {

    /** The time of what does not happen. */
    public static final long NEVER = Long.MAX_VALUE;

    public RecordedCall {
        if (completedMicros < invokedMicros) {
            throw new IllegalArgumentException("completedMicros: %d (expected: at least invokedMicros %d)"
                    .formatted(completedMicros, invokedMicros));
        }
    }

    /** The same call with what came of it. A clock that was set back meanwhile is taken to have stood still. */
    RecordedCall completed(long micros, Outcome known) {
        return new RecordedCall(number, client, invokedMicros, Math.max(micros, invokedMicros), request, known);
    }
}
