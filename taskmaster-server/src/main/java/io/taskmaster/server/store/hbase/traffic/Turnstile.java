package io.taskmaster.server.store.hbase.traffic;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many calls out at once; others wait their turn: in a lane in order, between lanes one after the other. A region server queues few
 * calls, by default ten for each of its thirty handlers, and refuses all beyond; and one that hangs keeps those of its lanes, while others
 * pass. Thread-safe.
 */
public final class Turnstile {

    private final ReentrantLock lock = new ReentrantLock();

    private final Shares shares;

    @GuardedBy("lock")
    private final List<Queue<Runnable>> waiting = new ArrayList<>();

    /** The lanes in which somebody waits, in the order of their turns. */
    @GuardedBy("lock")
    private final SequencedSet<Integer> turns = new LinkedHashSet<>();

    /** With so many lanes. */
    public Turnstile(int limit, int lanes) {
        shares = new Shares(limit, lanes);
        for (int lane = 0; lane < lanes; lane++) {
            waiting.add(new ArrayDeque<>());
        }
    }

    /** Makes a call when it is its turn. Its outcome. */
    public <T> CompletableFuture<T> pass(int lane, Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        Runnable go = () -> {
            CompletableFuture<T> made = Flights.begin(call);
            Outcomes.copy(made, outcome);
            var _ = made.whenComplete((_, _) -> returned(lane));
        };
        lock.lock();
        try {
            if (!shares.take(lane, 1)) {
                waiting.get(lane).add(go);
                turns.add(lane);
                return outcome;
            }
        } finally {
            lock.unlock();
        }
        go.run();
        return outcome;
    }

    private void returned(int lane) {
        Runnable next = next(lane);
        if (next != null) {
            next.run();
        }
    }

    /** Whoever can make use of what a lane gave back: that lane, if it was its own, or the first in turn. */
    private @Nullable Runnable next(int returned) {
        lock.lock();
        try {
            shares.give(returned, 1);
            for (int lane : turns) {
                if (shares.take(lane, 1)) {
                    Queue<Runnable> line = waiting.get(lane);
                    Runnable next = line.remove();
                    turns.remove(lane);
                    if (!line.isEmpty()) {
                        turns.addLast(lane);
                    }
                    return next;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }
}
