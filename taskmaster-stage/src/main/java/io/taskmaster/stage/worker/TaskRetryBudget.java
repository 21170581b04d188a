package io.taskmaster.stage.worker;

import io.taskmaster.stage.RetryPolicy;

/**
 * A token bucket of early retries: each task that is done adds a share of a token, up to {@link RetryPolicy#BURST}.
 * Single-threaded: owned by a stage runner.
 */
final class TaskRetryBudget {

    private final double share;
    private double tokens = RetryPolicy.BURST;

    TaskRetryBudget(double share) {
        this.share = share;
    }

    void onProgress() {
        tokens = Math.min(RetryPolicy.BURST, tokens + share);
    }

    /** Takes a token. Returns whether there was one. */
    boolean tryTake() {
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
