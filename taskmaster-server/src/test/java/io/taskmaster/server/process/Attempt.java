package io.taskmaster.server.process;

import io.taskmaster.error.TaskMasterException;

/**
 * A call of a client, and its outcome as far as the client knows. Thread-safe: written once by the client that calls.
 */
final class Attempt {

    /**
     * The knowledge of a client about a call.
     *
     * <pre>{@code
     * state   | event                                  | next state
     * --------+----------------------------------------+-----------
     * UNKNOWN | success                                | OK
     * UNKNOWN | the server answers that it did nothing | REFUSED
     * UNKNOWN | not sent, or safe to retry             | NOT_DONE
     * UNKNOWN | outcome unknown, or no answer          | UNKNOWN
     * }</pre>
     */
    enum Outcome {
        /** Acknowledged. */
        OK,
        /** The server answered that it did nothing, and why. */
        REFUSED,
        /** Not executed: not sent, rejected as retryable, or without effect on this element. */
        NOT_DONE,
        /** Not known, or not known yet. */
        UNKNOWN
    }

    final long invokedMillis = System.currentTimeMillis();
    private volatile Outcome outcome = Outcome.UNKNOWN;
    private volatile long completedMillis = Long.MAX_VALUE;

    void completed(Outcome what) {
        outcome = what;
        completedMillis = System.currentTimeMillis();
    }

    /**
     * Records a failure.
     *
     * @throws AssertionError if a failure of this kind must not occur
     */
    void failed(TaskMasterException error) {
        completed(
                switch (error.code().advice()) {
                    case OUTCOME_UNKNOWN -> Outcome.UNKNOWN;
                    case RETRY_LATER -> Outcome.NOT_DONE;
                    case CALLER_FAULT, NOT_ALLOWED, NOT_SERVED, SERVER_FAULT ->
                        throw new AssertionError("unexpected error", error);
                });
    }

    Outcome outcome() {
        return outcome;
    }

    boolean isOk() {
        return outcome == Outcome.OK;
    }

    boolean isUnknown() {
        return outcome == Outcome.UNKNOWN;
    }

    /** Returns whether the call may have taken effect. */
    boolean isPossible() {
        return isOk() || isUnknown();
    }

    long completedMillis() {
        return completedMillis;
    }
}
