package io.taskmaster.stage.local;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How much of something finite is taken. Two counters that only grow: producers add what they claim to one, consumers what they give back to
 * the other, each on a cache line of its own; producers look at the consumers' only when what they knew of it does not suffice. So in a steady
 * flow neither side waits for the other's cache line. Lock-free; thread-safe.
 *
 * <p>Invariant: claimed - returned is between 0 and the capacity.
 */
final class Credits {

    private static final int CLAIMED = 16;
    private static final int LIMIT = 24;
    private static final int RETURNED = 40;
    private static final int LENGTH = 56;

    private final long capacity;

    /** At {@link #LIMIT}: up to where may be claimed, as far as producers know. It may be less than what is true, never more. */
    private final AtomicLongArray counters = new AtomicLongArray(LENGTH);

    Credits(long capacity) {
        this.capacity = capacity;
        counters.set(LIMIT, capacity);
    }

    long capacity() {
        return capacity;
    }

    /** Takes so many, or none. */
    boolean tryClaim(long count) {
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

    void giveBack(long count) {
        counters.getAndAdd(RETURNED, count);
    }

    /** How many are claimed; while others claim and give back, as it was a moment ago. */
    long taken() {
        long returned = counters.get(RETURNED);
        return Math.min(capacity, counters.get(CLAIMED) - returned);
    }
}
