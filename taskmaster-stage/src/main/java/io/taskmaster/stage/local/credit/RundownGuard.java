package io.taskmaster.stage.local.credit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The calls in flight in a stage without a boundary. Lock-free; thread-safe.
 *
 * <pre>{@code
 * state   | event                  | next state | effect
 * OPEN    | enter, leave           | OPEN       | counted
 * OPEN    | close                  | CLOSING    | or OVER, if no call is in flight
 * CLOSING | enter                  | CLOSING    | refused
 * CLOSING | leave of the last call | OVER       | the future of close completes
 * }</pre>
 *
 * <p>A call is counted before it checks whether the stage is closed; {@link #close} does the opposite. Both counts only
 * grow, and calls that have left are summed before those that have entered: if the sums are equal, there was a moment
 * between them at which no call was in flight.
 *
 * <p>Threads count in different places, so that they do not contend. A {@link java.util.concurrent.atomic.LongAdder}
 * would not do: its additions are not ordered against the read of another variable that follows them.
 */
public final class RundownGuard {

    /** The size of a place, in longs: no two places are in neighbouring cache lines. */
    private static final int STRIPE_LONGS = 16;

    private static final int ENTERED = 0;
    private static final int EXITED = 1;

    /** The number of places: a power of two, not less than the number of processors. */
    private static final int STRIPES =
            Integer.highestOneBit(Math.max(1, 2 * Runtime.getRuntime().availableProcessors() - 1));

    /** The counts. Unused space before the first place separates them from fields that all threads read. */
    private final AtomicLongArray counts = new AtomicLongArray((1 + STRIPES) * STRIPE_LONGS);

    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private volatile boolean closed;

    /**
     * Begins a call. Returns false if the stage is closed; otherwise the call is in flight until it {@linkplain #exit
     * leaves}.
     */
    public boolean enter() {
        count(ENTERED);
        if (closed) {
            exit();
            return false;
        }
        return true;
    }

    /** Ends a call. Any thread may do so. */
    public void exit() {
        count(EXITED);
        if (closed) {
            checkDrained();
        }
    }

    /** Closes the stage to further calls. The future completes when no call is in flight. Idempotent. */
    public CompletableFuture<Void> close() {
        closed = true;
        checkDrained();
        return drained.copy();
    }

    private void checkDrained() {
        long exited = sum(EXITED);
        if (sum(ENTERED) == exited) {
            drained.complete(null);
        }
    }

    private void count(int counter) {
        int stripe = 1 + ((int) Thread.currentThread().threadId() & (STRIPES - 1));
        counts.getAndIncrement(stripe * STRIPE_LONGS + counter);
    }

    private long sum(int counter) {
        long sum = 0;
        for (int stripe = 1; stripe <= STRIPES; stripe++) {
            sum += counts.get(stripe * STRIPE_LONGS + counter);
        }
        return sum;
    }
}
