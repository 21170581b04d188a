package io.taskmaster.testkit.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What the connections of a relay have to put up with at the moment. Thread-safe. */
final class Weather {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Set<Flow> stalled = EnumSet.noneOf(Flow.class);

    private volatile long delayNanos;
    private volatile boolean refusing;

    void stall(Set<Flow> flows) {
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

    /** When something that came just now may go on, by {@link System#nanoTime}. */
    long dueNanos() {
        return System.nanoTime() + delayNanos;
    }

    /** Waits until something that came at a time may go on: it is due, or is no longer to be delayed, and its way is free. */
    void awaitPassage(Flow flow, long dueNanos) throws InterruptedException {
        lock.lock();
        try {
            while (stalled.contains(flow)) {
                changed.await();
            }
            long left = dueNanos - System.nanoTime();
            while (left > 0 && delayNanos > 0) {
                changed.await(left, TimeUnit.NANOSECONDS);
                left = dueNanos - System.nanoTime();
            }
            while (stalled.contains(flow)) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
