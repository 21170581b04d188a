package io.taskmaster.server.store.hbase.traffic;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A limited amount shared by lanes. Half of it is divided between them, so that each can always proceed. The other half
 * goes to the first lane that asks, so that a busy lane among idle ones has most of it. Thread-safe.
 *
 * <pre>
 *   | lane 0 | lane 1 | ... | lane n |          common            |
 * </pre>
 *
 * <p>Invariant: {@code common} is its initial value minus what all lanes hold beyond their own shares. What a lane
 * returns therefore goes to the common half first, until the lane is within its own share again.
 */
public final class LaneShares {

    private final long own;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final long[] held;

    /** The rest of the common half. Negative while a lane that held nothing was granted more than there was. */
    @GuardedBy("lock")
    private long common;

    /**
     * Creates the shares.
     *
     * @param total the amount; at least one for each lane is granted in any case
     */
    public LaneShares(long total, int lanes) {
        own = Math.max(1, total / 2 / lanes);
        common = Math.max(0, total - own * lanes);
        held = new long[lanes];
    }

    /**
     * Takes an amount, if the lane may have it. A lane that holds nothing may take more than there is, so that a large
     * operation is not refused forever.
     */
    boolean take(int lane, long amount) {
        lock.lock();
        try {
            long borrows = beyondOwn(held[lane] + amount) - beyondOwn(held[lane]);
            // A lane that holds nothing is always granted, so a lane whose work waits has something in flight, and its
            // return continues the work.
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

    /** Returns an amount. */
    void give(int lane, long amount) {
        lock.lock();
        try {
            // The borrowed part is what the lane holds beyond its own, so it is the first to go back.
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
