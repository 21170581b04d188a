package io.taskmaster.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Answers that are kept back: what was asked is done, and whoever asked does not know it yet. Closing lets them go, and keeps back no more.
 * Thread-safe.
 */
public final class HeldReplies implements AutoCloseable {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();

    @GuardedBy("lock")
    private final List<Runnable> held = new ArrayList<>();

    @GuardedBy("lock")
    private boolean released;

    HeldReplies() {}

    /** Keeps an answer back, or sends it if nothing is kept back any more. */
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

    /** How many are kept back by now. */
    public int count() {
        lock.lock();
        try {
            return held.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until so many are kept back: so many calls are done then. Blocks.
     *
     * @throws IllegalStateException if that takes longer than the limit
     */
    public void await(int replies, Duration limit) throws InterruptedException {
        lock.lock();
        try {
            long leftNanos = Deadlines.nanos(limit);
            while (held.size() < replies) {
                if (leftNanos <= 0) {
                    throw new IllegalStateException(
                            "held replies: %d after %s (expected: at least %d)".formatted(held.size(), limit, replies));
                }
                leftNanos = more.awaitNanos(leftNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends them, in the order in which they were made. Idempotent. */
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
