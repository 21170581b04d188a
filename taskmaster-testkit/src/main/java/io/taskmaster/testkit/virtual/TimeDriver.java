package io.taskmaster.testkit.virtual;

import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** A driver of virtual time that lets events happen until a condition holds. Single-threaded: owned by the test. */
public final class TimeDriver {

    /** The limit for calls that are certain to be answered. */
    private static final Duration FOR_AN_ANSWER = Duration.ofDays(1);

    private final VirtualTime time;

    public TimeDriver(VirtualTime time) {
        this.time = time;
    }

    /** Lets so much time pass. */
    public void pass(Duration span) {
        boolean _ = until(() -> false, span, Long.MAX_VALUE);
    }

    /**
     * Lets events happen until the condition holds; returns false if it does not within this time and so many events.
     */
    public boolean until(BooleanSupplier condition, Duration limit, long maxSteps) {
        long endNanos = Deadlines.afterNanos(time.nanoTime(), Deadlines.nanos(limit));
        for (long step = 0; step < maxSteps; step++) {
            if (condition.getAsBoolean()) {
                return true;
            }
            if (!time.step(endNanos)) {
                break;
            }
        }
        return condition.getAsBoolean();
    }

    /** Returns the reply to a call; throws the error with which it failed. */
    public <R> R await(CompletableFuture<R> call) {
        if (!until(call::isDone, FOR_AN_ANSWER, Long.MAX_VALUE)) {
            throw new IllegalStateException("call: no reply within " + FOR_AN_ANSWER + " (expected: a reply)");
        }
        return call.join();
    }
}
