package io.taskmaster.testkit.pipeline;

/** What goes wrong where a handler gets a task. */
sealed interface AttemptFault {

    /** The task is somebody else's from here on, but the handler works on. */
    record LoseLease() implements AttemptFault {
        @Override
        public String toString() {
            return "lose the lease";
        }
    }

    /** The worker process dies with it. */
    record Crash() implements AttemptFault {
        @Override
        public String toString() {
            return "crash";
        }
    }

    /** It is tried again, and its handler never sees it. */
    record Fail(String reason) implements AttemptFault {
        @Override
        public String toString() {
            return "fail: " + reason;
        }
    }
}
