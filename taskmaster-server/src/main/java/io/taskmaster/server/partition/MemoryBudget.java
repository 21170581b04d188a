package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.engine.Queues;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * The memory of a node for its queues, their windows, and for state that is not flushed yet (paper section 5.4.1). Thread-safe.
 *
 * <p>Each partition has a {@link Share} that it keeps up to date. When the windows together are over the budget, the partition from which
 * nobody has leased for longest gives up what it can, then the next one, each those of its queues that are idle longest. Of those from which nobody ever has, the one that is
 * at work comes last.
 */
public final class MemoryBudget {

    /** When requests can be remembered again is a matter of seconds, as those of the oldest minute go together. */
    private static final Duration DEDUP_RETRY = Duration.ofSeconds(1);

    /** A queue that is empty is forgotten after a round or two. */
    private static final Duration QUEUES_RETRY = Duration.ofSeconds(1);

    /**
     * How much of what.
     *
     * @param queues with tasks or options
     * @param queueBytes of these, while they are idle
     */
    record Amounts(long windowBytes, long dirtyBytes, long dedupBytes, long queues, long queueBytes) {}

    /** A queue with a name of ordinary length takes so much of the heap while it is idle. */
    public static final long QUEUE_BYTES = 512;

    /** So much if it was told something as well. */
    private static final long QUEUE_BYTES_WITH_OPTIONS = 640;

    /** One part in so many of the dirty memory is for partitions that have less of it than their part. */
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

    /** Partitions that have dirty state. */
    private final AtomicInteger dirtyShares = new AtomicInteger();

    private final AtomicLong uses = new AtomicLong();
    private final List<Share> shares = new CopyOnWriteArrayList<>();

    /**
     * @param windowBytes for all that is known of tasks, dirty state included, half of it for what is not dirty
     * @param dirtyBytes with more than this not flushed, enqueues are refused
     * @param dedupBytes with more than this remembered of requests with ids, further ones are refused
     * @param maxQueues how many queues there may be, see {@link Queues#named}; with names of ordinary length: where those are long,
     *     they may be fewer. Those that are recovered may be more
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

    /** Memory in use for windows, in bytes. */
    public long windowsInUse() {
        return windows.get();
    }

    /** What there is. */
    Amounts use() {
        return new Amounts(windows.get(), dirty.get(), dedup.get(), queues.get(), queueBytes.get());
    }

    /** What there may be. */
    Amounts limits() {
        return new Amounts(windowBytes, dirtyBytes, dedupBytes, maxQueues, maxQueueBytes);
    }

    /**
     * A partition's share.
     *
     * @param evict asks the partition, from any thread, to give up about so many bytes
     */
    Share share(LongConsumer evict) {
        Share share = new Share(evict);
        shares.add(share);
        return share;
    }

    private void relieve(Share busy) {
        long excess = excess();
        if (excess <= 0) {
            return;
        }
        long missing = excess + windowBytes / 16;
        for (Share share : idlestFirst(busy)) {
            if (missing <= 0) {
                return;
            }
            missing -= share.ask(missing);
        }
    }

    /**
     * Bytes in memory beyond the budget for windows; negative while there is room. At least half of the budget is for clean entries, however much is dirty: otherwise many enqueues into one queue
     * would push the heads of all other queues out of memory.
     */
    private long excess() {
        return windows.get() - Math.max(windowBytes, dirty.get() + windowBytes / 2);
    }

    private List<Share> idlestFirst(Share busy) {
        record Used(Share share, long lastUse) {}
        return shares.stream()
                .map(share -> new Used(share, share.lastUse))
                .sorted(Comparator.comparingLong(Used::lastUse).thenComparing(used -> used.share == busy))
                .map(Used::share)
                .toList();
    }

    /** What one partition uses. Single-threaded but for what other shares look at. */
    final class Share {

        private final LongConsumer evict;
        private long windowShare;
        private long dirtyShare;
        private long dedupShare;
        private long queueShare;
        private long queueByteShare;
        private long leases;

        /** When it was leased from last; 0: never. */
        private volatile long lastUse;

        private volatile long evictable;

        /** What it is giving up; 0: nothing. */
        private final AtomicLong asked = new AtomicLong();

        /** It gave up little when it was asked: the rest is dirty, or must stay. */
        private volatile boolean stuck;

        private boolean released;

        private Share(LongConsumer evict) {
            this.evict = evict;
        }

        /** Asks for so much, or for what it has, unless it is at it already. What is going to come of it. */
        private long ask(long bytes) {
            if (stuck) {
                return 0;
            }
            long wanted = Math.min(bytes, evictable);
            if (wanted > 0 && asked.compareAndSet(0, wanted)) {
                evict.accept(wanted);
            }
            return asked.get();
        }

        /** Whether there is no memory for what is merely good to have. */
        boolean isTight() {
            return excess() > -windowBytes / 8;
        }

        /**
         * Whether there is no memory for more that is not flushed. The last of it is for partitions that have less than their part.
         *
         * @param bulk whether it is asked for bulk work, which leaves a quarter to interactive work
         */
        boolean isDirtyFull(boolean bulk) {
            long most = bulk ? dirtyBytes - dirtyBytes / 4 : dirtyBytes;
            long now = dirty.get();
            return now > most
                    || (now > most - most / FAIR_RESERVE && dirtyShare > most / Math.max(1, dirtyShares.get()));
        }

        boolean isDedupFull() {
            return dedup.get() > dedupBytes;
        }

        /** Why an update with a request id is refused. */
        TaskMasterException dedupFull() {
            return TaskMasterException.withoutStackTrace(
                    ErrorCode.DEDUP_FULL,
                    "dedup bytes: as many as the node remembers (expected: at most " + dedupBytes + ")",
                    DEDUP_RETRY,
                    null);
        }

        long dirtyLimit() {
            return dirtyBytes;
        }

        /**
         * Takes room for new queues, if there is some: then they are to come into being in this turn.
         *
         * @param more none are always welcome
         */
        boolean takesQueues(Queues.Room more) {
            if (more.queues() == 0) {
                return true;
            }
            if (!add(queues, more.queues(), maxQueues)) {
                return false;
            }
            if (!add(queueBytes, more.bytes(), maxQueueBytes)) {
                queues.addAndGet(-more.queues());
                return false;
            }
            queueShare += more.queues();
            queueByteShare += more.bytes();
            return true;
        }

        private static boolean add(AtomicLong sum, long more, long max) {
            long before = sum.getAndUpdate(now -> more <= max - now ? now + more : now);
            return more <= max - before;
        }

        /** Why a request that needs a new queue is refused. */
        TaskMasterException tooManyQueues() {
            return TaskMasterException.withoutStackTrace(
                    ErrorCode.TOO_MANY_QUEUES,
                    "queues: as many as the node holds (expected: at most " + maxQueues + ", or " + maxQueueBytes
                            + " bytes of them)",
                    QUEUES_RETRY,
                    null);
        }

        /** Takes the partition's figures over; called at the end of a turn. */
        void settle(PartitionState state) {
            if (state.leases() != leases) {
                leases = state.leases();
                lastUse = uses.incrementAndGet();
            }
            takeOver(state);
        }

        private void takeOver(PartitionState state) {
            if (released) {
                return;
            }
            long resident = state.residentBytes();
            long unflushed = state.dirtyBytes();
            long remembered = state.requests().bytes();
            long named = state.queues().named();
            queues.addAndGet(named - queueShare);
            queueShare = named;
            long idle = state.queues().bytes();
            queueBytes.addAndGet(idle - queueByteShare);
            queueByteShare = idle;
            dedup.addAndGet(remembered - dedupShare);
            dedupShare = remembered;
            windows.addAndGet(resident - windowShare);
            dirty.addAndGet(unflushed - dirtyShare);
            windowShare = resident;
            becomesDirty(unflushed);
            evictable = resident - unflushed;
            relieve(this);
        }

        private void becomesDirty(long unflushed) {
            if ((unflushed > 0) != (dirtyShare > 0)) {
                dirtyShares.addAndGet(unflushed > 0 ? 1 : -1);
            }
            dirtyShare = unflushed;
        }

        /** The partition has given up what it could. If that was not much, asking again makes sense only after the next round. */
        void evicted(PartitionState state) {
            stuck = windowShare - state.residentBytes() < asked.get() / 2;
            asked.set(0);
            takeOver(state);
        }

        /** What was dirty can be given up now. */
        void flushed() {
            stuck = false;
        }

        /** The partition is gone. */
        void release() {
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
            becomesDirty(0);
            shares.remove(this);
        }
    }
}
