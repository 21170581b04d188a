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
 * A limit on concurrent calls. Other calls wait: in a lane in FIFO order, between lanes round-robin. A region server
 * queues few calls, by default ten for each of its thirty handlers, and refuses all beyond. A server that hangs holds
 * the permits of its own lanes only, while other lanes pass. Thread-safe.
 *
 * <p>Invariant: a lane with waiting calls has a call out, since {@link LaneShares} always grant a lane that holds
 * nothing. So each waiting call is followed by the return of another, which looks at all waiting lanes. A returned
 * permit starts at most one call.
 */
public final class CallLimiter {

    private final ReentrantLock lock = new ReentrantLock();

    private final LaneShares laneShares;

    @GuardedBy("lock")
    private final List<Queue<Runnable>> waiting = new ArrayList<>();

    /** The lanes with waiting calls, in round-robin order. */
    @GuardedBy("lock")
    private final SequencedSet<Integer> rotation = new LinkedHashSet<>();

    /** Creates a limit with that many lanes. */
    public CallLimiter(int limit, int lanes) {
        laneShares = new LaneShares(limit, lanes);
        for (int lane = 0; lane < lanes; lane++) {
            waiting.add(new ArrayDeque<>());
        }
    }

    /** Makes a call as soon as it has a permit. Returns its outcome. */
    public <T> CompletableFuture<T> pass(int lane, Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        Runnable start = () -> {
            CompletableFuture<T> made = CallsInFlight.begin(call);
            CallOutcomes.copy(made, outcome);
            var _ = made.whenComplete((_, _) -> returned(lane));
        };
        lock.lock();
        try {
            if (!laneShares.take(lane, 1)) {
                waiting.get(lane).add(start);
                rotation.add(lane);
                return outcome;
            }
        } finally {
            lock.unlock();
        }
        // Outside the lock: a call may complete at once, and then starts the next one.
        start.run();
        return outcome;
    }

    private void returned(int lane) {
        Runnable next = next(lane);
        if (next != null) {
            next.run();
        }
    }

    /**
     * Returns the call that gets the released permit: of the same lane if the permit was its own, otherwise of the
     * first lane in order that may take one.
     */
    private @Nullable Runnable next(int returned) {
        lock.lock();
        try {
            laneShares.give(returned, 1);
            for (int lane : rotation) {
                if (laneShares.take(lane, 1)) {
                    Queue<Runnable> queue = waiting.get(lane);
                    Runnable next = queue.remove();
                    // Modifies the set during its iteration, which ends here. The lane goes to the end of the round.
                    rotation.remove(lane);
                    if (!queue.isEmpty()) {
                        rotation.addLast(lane);
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
