package io.taskmaster.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Replies that are held back: their calls are applied, and the callers do not know it yet. Thread-safe.
 *
 * <pre>{@code
 * state    | event            | next state | effect
 * ---------+------------------+------------+-----------------------------------------
 * holding  | a reply is due   | holding    | kept; waiters are notified
 * holding  | close()          | released   | all are sent, in their order
 * released | a reply is due   | released   | sent at once
 * }</pre>
 */
public final class HeldReplies implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();

    @GuardedBy("lock")
    private final List<Runnable> held = new ArrayList<>();

    @GuardedBy("lock")
    private boolean released;

    HeldReplies() {}

    /** Holds a reply, or sends it at once after the release. */
    void hold(Runnable send) {
        lock.lock();
        try {
            if (!released) {
                held.add(send);
                more.signalAll();
                return;
            }
        } finally {
            lock.unlock();
        }
        send.run();
    }

    /** Returns the number of replies that are held. */
    public int count() {
        lock.lock();
        try {
            return held.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until so many replies are held: so many calls are applied then. Blocks.
     *
     * @throws IllegalStateException if that takes longer than the limit
     */
    public void await(int replies, Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long remainingNanos = Deadlines.nanos(limit);
            while (held.size() < replies) {
                if (remainingNanos <= 0) {
                    throw new IllegalStateException(
                            "held replies: %d after %s (expected: at least %d)".formatted(held.size(), limit, replies));
                }
                remainingNanos = more.awaitNanos(remainingNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends the replies, in the order in which they were held, and holds no more. Idempotent. */
    @Override
    public void close() {
        List<Runnable> all;
        lock.lock();
        try {
            released = true;
            all = List.copyOf(held);
            held.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(Runnable::run);
    }
}
