package io.taskmaster.stage.worker;

import io.taskmaster.stage.RetryPolicy;

/** How many early retries a stage has left: a share for each task that got on, up to a burst. Single-threaded: owned by a stage runner. */
final class RetryBudget {

    private final double share;
    private double tokens = RetryPolicy.BURST;

    RetryBudget(double share) {
        this.share = share;
    }

    void gotOn() {
        tokens = Math.min(RetryPolicy.BURST, tokens + share);
    }

    /** Whether one is left, which is then used. */
    boolean takesOne() {
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
