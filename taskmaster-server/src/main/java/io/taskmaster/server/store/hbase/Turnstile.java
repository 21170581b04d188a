package io.taskmaster.server.store.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many calls out at once; others wait their turn, in order. A region server queues few calls, by default ten for each of its thirty
 * handlers, and refuses all beyond. Thread-safe.
 */
final class Turnstile {

    private final int limit;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private int out;

    Turnstile(int limit) {
        this.limit = limit;
    }

    /** Makes a call when it is its turn. Its outcome. */
    <T> CompletableFuture<T> pass(Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        Runnable go = () -> {
            CompletableFuture<T> made = Flights.begin(call);
            Outcomes.copy(made, outcome);
            var _ = made.whenComplete((_, _) -> returned());
        };
        lock.lock();
        try {
            if (out == limit) {
                waiting.add(go);
                return outcome;
            }
            out++;
        } finally {
            lock.unlock();
        }
        go.run();
        return outcome;
    }

    private void returned() {
        Runnable next = next();
        if (next != null) {
            next.run();
        }
    }

    private @Nullable Runnable next() {
        lock.lock();
        try {
            Runnable next = waiting.poll();
            if (next == null) {
                out--;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }
}
