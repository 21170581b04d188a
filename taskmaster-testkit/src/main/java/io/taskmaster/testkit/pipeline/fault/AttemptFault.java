package io.taskmaster.testkit.pipeline.fault;

/** A fault of an attempt: it is injected when a handler is passed a task. */
public sealed interface AttemptFault {

    /** A lost lease: the task is available to others from here on, but the handler works on. */
    record LoseLease() implements AttemptFault {
        @Override
        public String toString() {
            return "lose the lease";
        }
    }

    /** A crash of the worker process. */
    record Crash() implements AttemptFault {
        @Override
        public String toString() {
            return "crash";
        }
    }

    /** A failed attempt: the handler is not called, and the task is retried. */
    record Fail(String reason) implements AttemptFault {
        @Override
        public String toString() {
            return "fail: " + reason;
        }
    }
}
