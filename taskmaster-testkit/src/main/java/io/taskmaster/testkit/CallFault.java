package io.taskmaster.testkit;

import io.taskmaster.error.ErrorCode;
import java.time.Duration;

/** A fault of a call. Immutable, apart from held replies. */
sealed interface CallFault {

    /** A refusal with this code; the call is not applied. */
    record Refuse(ErrorCode code) implements CallFault {

        public Refuse {
            if (code.advice() == ErrorCode.Advice.OUTCOME_UNKNOWN) {
                throw new IllegalArgumentException(
                        "code: %s (expected: a code that means that nothing was done)".formatted(code));
            }
        }
    }

    /** A lost reply: the call is applied, and the client receives {@code OUTCOME_UNKNOWN}. */
    record LoseReply() implements CallFault {}

    /** A late reply: the call is applied. */
    record DelayReply(Duration span) implements CallFault {}

    /** A held reply: the call is applied, and its reply is sent when the test releases it. */
    record HoldReply(HeldReplies held) implements CallFault {}
}
