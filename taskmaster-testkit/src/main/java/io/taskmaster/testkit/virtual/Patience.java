package io.taskmaster.testkit.virtual;

import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Lets things happen until something is so. Single-threaded: owned by the test. */
public final class Patience {

    /** For what is sure to come. */
    private static final Duration FOR_AN_ANSWER = Duration.ofDays(1);

    private final VirtualTime time;

    public Patience(VirtualTime time) {
        this.time = time;
    }

    /** Lets so much time pass. */
    public void pass(Duration span) {
        boolean _ = until(() -> false, span, Long.MAX_VALUE);
    }

    /** False if it is not so within this time and so many events. */
    public boolean until(BooleanSupplier something, Duration limit, long maxSteps) {
        long endNanos = Deadlines.afterNanos(time.nanoTime(), Deadlines.nanos(limit));
        for (long step = 0; step < maxSteps; step++) {
            if (something.getAsBoolean()) {
                return true;
            }
            if (!time.step(endNanos)) {
                break;
            }
        }
        return something.getAsBoolean();
    }

    /** The answer to a call, which has failed if this throws. */
    public <R> R await(CompletableFuture<R> call) {
        if (!until(call::isDone, FOR_AN_ANSWER, Long.MAX_VALUE)) {
            throw new IllegalStateException("call: not answered in " + FOR_AN_ANSWER + " (expected: an answer)");
        }
        return call.join();
    }
}
