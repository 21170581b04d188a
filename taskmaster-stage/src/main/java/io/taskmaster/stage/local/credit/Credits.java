package io.taskmaster.stage.local.credit;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A bounded number of credits, of which producers claim some and consumers return some. Lock-free; thread-safe.
 *
 * <p>Two counters only grow: producers add what they claim to one, consumers what they return to the other. Each has a
 * cache line of its own. Producers read the consumers' counter only when the limit that they know of does not suffice,
 * so in a steady flow neither side waits for the other's cache line.
 *
 * <p>Invariant: claimed - returned is between 0 and the capacity.
 */
public final class Credits {

    private static final int CLAIMED = 16;
    private static final int LIMIT = 24;
    private static final int RETURNED = 40;
    private static final int LENGTH = 56;

    private final long capacity;

    /**
     * The counters, each in a cache line of its own. {@link #LIMIT} is the bound up to which may be claimed, as far as
     * producers know: it may lag behind the true bound, but never exceeds it.
     */
    private final AtomicLongArray counters = new AtomicLongArray(LENGTH);

    public Credits(long capacity) {
        this.capacity = capacity;
        counters.set(LIMIT, capacity);
    }

    long capacity() {
        return capacity;
    }

    /** Claims all of these credits or none. */
    public boolean tryClaim(long count) {
        for (; ; ) {
            long claimed = counters.get(CLAIMED);
            if (claimed + count > counters.getAcquire(LIMIT)) {
                long limit = counters.get(RETURNED) + capacity;
                if (claimed + count > limit) {
                    return false;
                }
                counters.setRelease(LIMIT, limit);
            }
            if (counters.compareAndSet(CLAIMED, claimed, claimed + count)) {
                return true;
            }
        }
    }

    public void release(long count) {
        counters.getAndAdd(RETURNED, count);
    }

    /** The number of credits that are claimed. While others claim and return some, it is as of a moment ago. */
    public long taken() {
        // Read before the claims, so that the difference is never too small: both counters only grow.
        long returned = counters.get(RETURNED);
        return Math.min(capacity, counters.get(CLAIMED) - returned);
    }
}
