package io.taskmaster.testkit;

import io.taskmaster.error.ErrorCode;
import java.time.Duration;

/** What becomes of a call that somebody asked a fault for. Immutable, but for what is held. */
sealed interface CallFault {

    /** It is not done, and the answer says so. */
    record Refuse(ErrorCode code) implements CallFault {

        public Refuse {
            if (code.advice() == ErrorCode.Advice.OUTCOME_UNKNOWN) {
                throw new IllegalArgumentException(
                        "code: %s (expected: one that says that nothing was done)".formatted(code));
            }
        }
    }

    /** It is done, and instead of its answer the client gets to know that nobody knows. */
    record LoseReply() implements CallFault {}

    /** It is done, and its answer comes late. */
    record DelayReply(Duration span) implements CallFault {}

    /** It is done, and its answer comes when the test says so. */
    record HoldReply(HeldReplies held) implements CallFault {}
}
