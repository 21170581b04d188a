package io.taskmaster.testkit.pipeline.fault;

import io.taskmaster.error.ErrorCode;
import java.time.Duration;

/** A fault of a commit: it is injected when a worker settles a task. */
public sealed interface CommitFault {

    /** A fault that may befall any call, not only a commit. */
    sealed interface OfCall extends CommitFault {}

    /** A refusal with this code; the call is not applied. */
    record Refuse(ErrorCode code) implements OfCall {
        @Override
        public String toString() {
            return "refuse, " + code;
        }
    }

    /** A lost reply: the call is applied, and the worker receives {@code OUTCOME_UNKNOWN}. */
    record LoseReply() implements OfCall {
        @Override
        public String toString() {
            return "lose the reply";
        }
    }

    /** A late reply: the call is applied. */
    record DelayReply(Duration span) implements OfCall {
        @Override
        public String toString() {
            return "delay the reply by " + span;
        }
    }

    /** A crash of the worker process before the call is sent. */
    record CrashBefore() implements CommitFault {
        @Override
        public String toString() {
            return "crash before it";
        }
    }

    /** A crash of the worker process after the call was applied, before it receives the reply. */
    record CrashAfter() implements CommitFault {
        @Override
        public String toString() {
            return "crash after it";
        }
    }
}
