package io.taskmaster.server.process;

import io.taskmaster.error.TaskMasterException;

/** One call of a client, and what became of it as far as the client was told. Thread-safe: written once by the client that calls. */
final class Attempt {

    /** What a client knows of a call. */
    enum Outcome {
        /** Acknowledged. */
        OK,
        /** The server answered that it did nothing, and why. */
        REFUSED,
        /** It never happened: not sent, or nothing was to be done with this element. */
        NOT_DONE,
        /** Nobody knows yet. */
        UNKNOWN
    }

    final long invokedMillis = System.currentTimeMillis();
    private volatile Outcome outcome = Outcome.UNKNOWN;
    private volatile long completedMillis = Long.MAX_VALUE;

    void completed(Outcome what) {
        outcome = what;
        completedMillis = System.currentTimeMillis();
    }

    /** @throws AssertionError if an error of this kind must not come up */
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

    /** May have taken effect. */
    boolean isPossible() {
        return isOk() || isUnknown();
    }

    long completedMillis() {
        return completedMillis;
    }
}
