package io.taskmaster.stage.local;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * Who is in a stage that has no boundary: calls that have begun and not ended. Once it is closed nobody enters, and somebody hears when the last has left.
 *
 * <p>Whoever enters is counted first and looks whether it is closed after that; who closes it does the opposite. Both counts only grow, and those who left are counted
 * before those who entered: if the counts are equal, there was a moment between them at which nobody was in. Lock-free; thread-safe.
 */
final class Presence {

    private final LongAdder entered = new LongAdder();
    private final LongAdder left = new LongAdder();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile boolean closed;

    /** False: it is closed. Otherwise whoever asks is in until it {@link #leave leaves}. */
    boolean enter() {
        entered.increment();
        if (closed) {
            leave();
            return false;
        }
        return true;
    }

    void leave() {
        left.increment();
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
        long out = left.sum();
        if (entered.sum() == out) {
            over.complete(null);
        }
    }
}
