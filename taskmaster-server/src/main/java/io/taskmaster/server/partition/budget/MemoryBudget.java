package io.taskmaster.server.partition.budget;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.Queues;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * The memory budget of a node: for windows of queues, for dirty state, for the dedup window, and for queues themselves
 * (paper section 5.4.1). Thread-safe.
 *
 * <p>Every partition has a {@link Share}, which publishes its figures at the end of each loop tick. The node's sums are
 * atomic counters to which shares add differences, so no lock is needed and a sum lags by at most one tick per
 * partition.
 *
 * <p>Eviction. The windows may take {@code max(windowBytes, dirty + windowBytes / 2)}: at least half of the budget is
 * for clean entries, however much is dirty. When a share finds the node above that, it asks other shares, and itself,
 * to evict the excess and a sixteenth of the budget more, which keeps evictions from following each other closely. The
 * partition that was leased from longest ago is asked first. Each evicts the windows of its own queues that are idle
 * longest. Of partitions that were never leased from, the one that is active now comes last. A request to evict is a
 * task on the loop of the other partition, so one may be in flight per share, and what it promises is subtracted from
 * the excess. The states of a share towards eviction:
 *
 * <pre>{@code
 * state  | event                               | next state | effect
 * -------+-------------------------------------+------------+-------------------------------------------------
 * ready  | asked for memory                    | asked      | min(wanted, evictable) is requested from its loop
 * asked  | asked for memory                    | asked      | nothing; the earlier request is counted
 * asked  | evicted at least half of it         | ready      |
 * asked  | evicted less than half of it        | stuck      | not asked: the rest is dirty, or must stay
 * stuck  | a flush round completed             | ready      | what was dirty is clean, and can be evicted
 * any    | the partition is gone               | (released) | its figures are subtracted from the sums
 * }</pre>
 *
 * <p>Admission. Dirty memory, request ids and queues are bounded by refusing or delaying requests, not by eviction:
 *
 * <ul>
 *   <li>Dirty state: an enqueue waits at the {@code AdmissionControl} while {@link Share#isDirtyFull}. Bulk work leaves
 *       a quarter to interactive work. The last eighth is for partitions that have less than an equal part of it, so
 *       that one partition cannot take it all.
 *   <li>Request ids: an update with an id is refused when the dedup window is full; no id is forgotten early.
 *   <li>Queues: reserved before the atom is committed, by count and by bytes. Recovery may exceed the limit: queues
 *       that exist are never refused.
 * </ul>
 */
public final class MemoryBudget {

    /** The retry delay for dedup memory: ids are forgotten by the minute, so memory becomes free within seconds. */
    private static final Duration DEDUP_RETRY = Duration.ofSeconds(1);

    /** The retry delay for queues: an empty queue is forgotten after a flush round or two. */
    private static final Duration QUEUES_RETRY = Duration.ofSeconds(1);

    /**
     * The amounts of memory, in use or at most.
     *
     * @param windowBytes of windows, dirty state included
     * @param dirtyBytes of dirty state
     * @param dedupBytes of remembered request ids
     * @param queues the number of queues with tasks or options
     * @param queueBytes the memory of these while they are idle
     */
    public record Amounts(long windowBytes, long dirtyBytes, long dedupBytes, long queues, long queueBytes) {}

    /** The heap size of an idle queue with a name of ordinary length. */
    public static final long QUEUE_BYTES = 512;

    /** The heap size of an idle queue that has options as well. */
    private static final long QUEUE_BYTES_WITH_OPTIONS = 640;

    /** The reciprocal of the fraction of dirty memory that is reserved for partitions below their equal part. */
    private static final int FAIR_RESERVE = 8;

    private final long windowBytes;
    private final long dirtyBytes;
    private final long dedupBytes;
    private final long maxQueues;
    private final long maxQueueBytes;
    private final AtomicLong dedup = new AtomicLong();
    private final AtomicLong queues = new AtomicLong();
    private final AtomicLong queueBytes = new AtomicLong();
    private final AtomicLong windows = new AtomicLong();
    private final AtomicLong dirty = new AtomicLong();

    /** The number of partitions that have dirty state. */
    private final AtomicInteger dirtyShares = new AtomicInteger();

    private final AtomicLong uses = new AtomicLong();
    private final List<Share> shares = new CopyOnWriteArrayList<>();

    /**
     * Creates a budget.
     *
     * @param windowBytes for everything known of tasks, dirty state included, half of it for clean entries
     * @param dirtyBytes the limit of dirty state; above it enqueues are not admitted
     * @param dedupBytes the limit of remembered request ids; above it further updates with ids are refused
     * @param maxQueues the limit of queues, see {@link Queues#named}, with names of ordinary length: with long names
     *     there may be fewer. Recovered queues may exceed it
     */
    public MemoryBudget(long windowBytes, long dirtyBytes, long dedupBytes, long maxQueues) {
        this.windowBytes = windowBytes;
        this.dirtyBytes = dirtyBytes;
        this.dedupBytes = dedupBytes;
        this.maxQueues = maxQueues;
        this.maxQueueBytes = maxQueues <= Long.MAX_VALUE / QUEUE_BYTES_WITH_OPTIONS
                ? maxQueues * QUEUE_BYTES_WITH_OPTIONS
                : Long.MAX_VALUE;
    }

    /** The memory in use for windows, in bytes. */
    public long windowsInUse() {
        return windows.get();
    }

    /** The amounts in use. */
    public Amounts use() {
        return new Amounts(windows.get(), dirty.get(), dedup.get(), queues.get(), queueBytes.get());
    }

    /** The limits. */
    public Amounts limits() {
        return new Amounts(windowBytes, dirtyBytes, dedupBytes, maxQueues, maxQueueBytes);
    }

    /**
     * Returns the share of a new partition.
     *
     * @param evict asks the partition, from any thread, to evict about this many bytes
     */
    public Share share(LongConsumer evict) {
        Share share = new Share(evict);
        shares.add(share);
        return share;
    }

    private void reclaim(Share busy) {
        long excess = excess();
        if (excess <= 0) {
            return;
        }
        // More than the excess, so that the next entries do not start another eviction at once.
        long missing = excess + windowBytes / 16;
        for (Share share : idlestFirst(busy)) {
            if (missing <= 0) {
                return;
            }
            missing -= share.requestEviction(missing);
        }
    }

    /**
     * The number of bytes above the budget for windows; negative while there is free memory. At least half of the
     * budget is for clean entries, however much is dirty: otherwise many enqueues into one queue would evict the heads
     * of all other queues.
     */
    private long excess() {
        return windows.get() - Math.max(windowBytes, dirty.get() + windowBytes / 2);
    }

    private List<Share> idlestFirst(Share busy) {
        record Used(Share share, long lastUse) {}
        return shares.stream()
                // Each lastUse is read once: other loops change it, and a sort needs an order that stays.
                .map(share -> new Used(share, share.lastUse))
                .sorted(Comparator.comparingLong(Used::lastUse).thenComparing(used -> used.share == busy))
                .map(Used::share)
                .toList();
    }

    /**
     * The share of one partition. Single-threaded: owned by the partition's loop, except for the fields that other
     * shares read.
     */
    public final class Share {

        private final LongConsumer evict;
        private long windowShare;
        private long dirtyShare;
        private long dedupShare;
        private long queueShare;
        private long queueByteShare;
        private long leases;

        /** The node-wide sequence number of the last lease from this partition; 0: none yet. */
        private volatile long lastUse;

        private volatile long evictable;

        /** The number of bytes that it has been asked to evict and has not yet; 0: none. */
        private final AtomicLong requestedBytes = new AtomicLong();

        /** True if it evicted little when last asked: the rest is dirty, or must stay. */
        private volatile boolean stuck;

        private boolean released;

        private Share(LongConsumer evict) {
            this.evict = evict;
        }

        /**
         * Asks for this many bytes, or for all that can be evicted, unless an earlier request is in flight. Returns the
         * bytes to be expected of this or of the earlier request.
         */
        private long requestEviction(long bytes) {
            if (stuck) {
                return 0;
            }
            long evictBytes = Math.min(bytes, evictable);
            // Several loops may find the node short at once; only one of them gets to ask.
            if (evictBytes > 0 && requestedBytes.compareAndSet(0, evictBytes)) {
                evict.accept(evictBytes);
            }
            return requestedBytes.get();
        }

        /** Returns true if there is no memory for optional entries: less than an eighth of the budget is free. */
        public boolean isTight() {
            return excess() > -windowBytes / 8;
        }

        /**
         * Returns true if there is no memory for more dirty state. The last part of it is for partitions with less than
         * an equal part.
         *
         * @param bulk true for bulk work, which leaves a quarter to interactive work
         */
        public boolean isDirtyFull(boolean bulk) {
            long limit = bulk ? dirtyBytes - dirtyBytes / 4 : dirtyBytes;
            long now = dirty.get();
            return now > limit
                    || (now > limit - limit / FAIR_RESERVE && dirtyShare > limit / Math.max(1, dirtyShares.get()));
        }

        public boolean isDedupFull() {
            return dedup.get() > dedupBytes;
        }

        /** Returns the error of an update with a request id that is refused. */
        public TaskMasterException dedupFull() {
            return TaskMasterException.withoutStackTrace(
                    ErrorCode.DEDUP_FULL,
                    "dedup.bytes: limit reached (expected: at most " + dedupBytes + " bytes of request ids)",
                    DEDUP_RETRY,
                    null);
        }

        public long dirtyLimit() {
            return dirtyBytes;
        }

        /**
         * Reserves memory for new queues. The queues must be created in this loop tick: the next {@link #settle} counts
         * the existing ones.
         *
         * @param demand what the new queues need; with none of them it always succeeds
         * @return false if the limit is reached; nothing is reserved then
         */
        public boolean reserveQueues(Queues.Room demand) {
            if (demand.queues() == 0) {
                return true;
            }
            if (!add(queues, demand.queues(), maxQueues)) {
                return false;
            }
            if (!add(queueBytes, demand.bytes(), maxQueueBytes)) {
                queues.addAndGet(-demand.queues());
                return false;
            }
            // Part of the share at once, so that the next settle adds only what differs from it.
            queueShare += demand.queues();
            queueByteShare += demand.bytes();
            return true;
        }

        private static boolean add(AtomicLong sum, long more, long max) {
            long before = sum.getAndUpdate(now -> more <= max - now ? now + more : now);
            // The same test on the value that the update saw, which is all that getAndUpdate returns.
            return more <= max - before;
        }

        /** Returns the error of a request that needs a new queue and is refused. */
        public TaskMasterException tooManyQueues() {
            return TaskMasterException.withoutStackTrace(
                    ErrorCode.TOO_MANY_QUEUES,
                    "queues.max: limit reached (expected: at most " + maxQueues + " queues, or " + maxQueueBytes
                            + " bytes of them)",
                    QUEUES_RETRY,
                    null);
        }

        /** Publishes the partition's figures; called at the end of a loop tick. */
        public void settle(PartitionState state) {
            if (state.leases() != leases) {
                leases = state.leases();
                lastUse = uses.incrementAndGet();
            }
            update(state);
        }

        private void update(PartitionState state) {
            // A task may follow the release, which has subtracted everything already.
            if (released) {
                return;
            }
            long resident = state.residentBytes();
            long unflushed = state.dirtyBytes();
            long remembered = state.requests().bytes();
            long named = state.queues().named();
            // Differences, not values: other shares add to the same counters at the same time.
            queues.addAndGet(named - queueShare);
            queueShare = named;
            long metadataBytes = state.queues().bytes();
            queueBytes.addAndGet(metadataBytes - queueByteShare);
            queueByteShare = metadataBytes;
            dedup.addAndGet(remembered - dedupShare);
            dedupShare = remembered;
            windows.addAndGet(resident - windowShare);
            dirty.addAndGet(unflushed - dirtyShare);
            windowShare = resident;
            updateDirty(unflushed);
            evictable = resident - unflushed;
            reclaim(this);
        }

        private void updateDirty(long unflushed) {
            if ((unflushed > 0) != (dirtyShare > 0)) {
                dirtyShares.addAndGet(unflushed > 0 ? 1 : -1);
            }
            dirtyShare = unflushed;
        }

        /**
         * Records that the partition has evicted what it could. If that was little, it is not asked again before
         * {@link #unblockEviction}.
         */
        public void evicted(PartitionState state) {
            // Before update, which sets windowShare to what is resident now.
            stuck = windowShare - state.residentBytes() < requestedBytes.get() / 2;
            requestedBytes.set(0);
            update(state);
        }

        /** Records that entries can be evicted that had to stay: a flush round has ended. */
        public void unblockEviction() {
            stuck = false;
        }

        /** Subtracts the share from the sums: the partition is gone. */
        public void release() {
            released = true;
            windows.addAndGet(-windowShare);
            dirty.addAndGet(-dirtyShare);
            dedup.addAndGet(-dedupShare);
            queues.addAndGet(-queueShare);
            queueBytes.addAndGet(-queueByteShare);
            queueShare = 0;
            queueByteShare = 0;
            dedupShare = 0;
            windowShare = 0;
            updateDirty(0);
            shares.remove(this);
        }
    }
}
