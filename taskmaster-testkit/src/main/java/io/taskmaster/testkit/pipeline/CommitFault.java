package io.taskmaster.testkit.pipeline;

import io.taskmaster.error.ErrorCode;
import java.time.Duration;

/** What goes wrong where a worker commits what came of a task. */
sealed interface CommitFault {

    /** What can go wrong with any call. */
    sealed interface OfCall extends CommitFault {}

    /** It is not done, and this is the answer. */
    record Refuse(ErrorCode code) implements OfCall {
        @Override
        public String toString() {
            return "refuse, " + code;
        }
    }

    /** It is done, and the worker is told that nobody knows. */
    record LoseReply() implements OfCall {
        @Override
        public String toString() {
            return "lose the reply";
        }
    }

    /** It is done, and the worker is told late. */
    record DelayReply(Duration span) implements OfCall {
        @Override
        public String toString() {
            return "delay the reply by " + span;
        }
    }

    /** The worker process dies before it is sent. */
    record CrashBefore() implements CommitFault {
        @Override
        public String toString() {
            return "crash before it";
        }
    }

    /** It is done, and the worker process dies before it hears of it. */
    record CrashAfter() implements CommitFault {
        @Override
        public String toString() {
            return "crash after it";
        }
    }
}
