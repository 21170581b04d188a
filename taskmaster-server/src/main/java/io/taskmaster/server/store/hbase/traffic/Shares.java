package io.taskmaster.server.store.hbase.traffic;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Something scarce, shared by lanes. Half of it is split between them, so that each can always go on; the other half is for whoever comes
 * first, so that a busy lane among idle ones has most. Thread-safe.
 *
 * <pre>
 *   | lane 0 | lane 1 | ... | lane n |          common            |
 * </pre>
 */
public final class Shares {

    private final long own;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final long[] held;

    /** What is left of it; below zero while somebody holds more than there is. */
    @GuardedBy("lock")
    private long common;

    /**
     * @param total how much there is; if it is less than one for each lane, there is more
     */
    public Shares(long total, int lanes) {
        own = Math.max(1, total / 2 / lanes);
        common = Math.max(0, total - own * lanes);
        held = new long[lanes];
    }

    /** Takes so much, if there is so much for the lane. One that holds nothing may take more than there is. */
    boolean take(int lane, long amount) {
        lock.lock();
        try {
            long borrows = beyondOwn(held[lane] + amount) - beyondOwn(held[lane]);
            if (borrows > common && borrows > 0 && held[lane] > 0) {
                return false;
            }
            held[lane] += amount;
            common -= borrows;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Gives so much back. */
    void give(int lane, long amount) {
        lock.lock();
        try {
            common += beyondOwn(held[lane]) - beyondOwn(held[lane] - amount);
            held[lane] -= amount;
        } finally {
            lock.unlock();
        }
    }

    private long beyondOwn(long amount) {
        return Math.max(0, amount - own);
    }
}
