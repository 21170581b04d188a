package io.taskmaster.harness.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The present restrictions of a relay's connections. Thread-safe. */
final class LinkConditions {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Set<ByteFlow> stalled = EnumSet.noneOf(ByteFlow.class);

    private volatile long delayNanos;
    private volatile boolean refusing;

    void stall(Set<ByteFlow> flows) {
        lock.lock();
        try {
            stalled.addAll(flows);
        } finally {
            lock.unlock();
        }
    }

    void delay(long nanos) {
        delayNanos = nanos;
    }

    void refuse() {
        refusing = true;
    }

    void clear() {
        lock.lock();
        try {
            stalled.clear();
            delayNanos = 0;
            refusing = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isRefusing() {
        return refusing;
    }

    /** Returns the {@link System#nanoTime} at which bytes that arrive now may pass. */
    long dueNanos() {
        return System.nanoTime() + delayNanos;
    }

    /** Waits until bytes may pass: they are due, or are no longer delayed, and their direction is not stalled. */
    void awaitPassage(ByteFlow byteFlow, long dueNanos) throws InterruptedException {
        lock.lock();
        try {
            while (stalled.contains(byteFlow)) {
                changed.await();
            }
            long remaining = dueNanos - System.nanoTime();
            while (remaining > 0 && delayNanos > 0) {
                changed.await(remaining, TimeUnit.NANOSECONDS);
                remaining = dueNanos - System.nanoTime();
            }
            // A stall may have begun during the delay.
            while (stalled.contains(byteFlow)) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
