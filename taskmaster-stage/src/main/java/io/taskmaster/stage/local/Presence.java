package io.taskmaster.stage.local;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Who is in a stage that has no boundary: calls that have begun and not ended. Once it is closed nobody enters, and somebody hears when the last has left.
 *
 * <p>Whoever enters is counted first and looks whether it is closed after that; who closes it does the opposite. Both counts only grow, and those who left are counted
 * before those who entered: if the counts are equal, there was a moment between them at which nobody was in. Lock-free; thread-safe.
 *
 * <p>Threads count in different places, so that they do not hinder each other. Not in a {@link java.util.concurrent.atomic.LongAdder}: its additions are not in one
 * order with the look at another variable that follows them.
 */
final class Presence {

    /** Of a place: no two are in neighbouring lines of a cache. */
    private static final int LONGS = 16;

    private static final int ENTERED = 0;
    private static final int LEFT = 1;

    /** A power of two, not less than there are processors. */
    private static final int PLACES =
            Integer.highestOneBit(Math.max(1, 2 * Runtime.getRuntime().availableProcessors() - 1));

    /** Before the first place is room for what else everybody reads. */
    private final AtomicLongArray counts = new AtomicLongArray((1 + PLACES) * LONGS);

    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile boolean closed;

    /** False: it is closed. Otherwise whoever asks is in until it {@link #leave leaves}. */
    boolean enter() {
        count(ENTERED);
        if (closed) {
            leave();
            return false;
        }
        return true;
    }

    /** By any thread. */
    void leave() {
        count(LEFT);
        if (closed) {
            look();
        }
    }

    /** Nobody enters from now on. Complete when nobody is in. Idempotent. */
    CompletableFuture<Void> close() {
        closed = true;
        look();
        return over.copy();
    }

    private void look() {
        long out = sum(LEFT);
        if (sum(ENTERED) == out) {
            over.complete(null);
        }
    }

    private void count(int what) {
        int place = 1 + ((int) Thread.currentThread().threadId() & (PLACES - 1));
        long _ = counts.getAndIncrement(place * LONGS + what);
    }

    private long sum(int what) {
        long sum = 0;
        for (int place = 1; place <= PLACES; place++) {
            sum += counts.get(place * LONGS + what);
        }
        return sum;
    }
}
