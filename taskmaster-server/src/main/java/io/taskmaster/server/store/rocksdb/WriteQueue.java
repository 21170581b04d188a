package io.taskmaster.server.store.rocksdb;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queue of the writer, in two lanes: log rows and records, which have waiters, and bulk writes. A batch takes all
 * of the first lane up to its limit and a part of the second, so a flush round of any size delays a log row by no more
 * than its share of one batch. Each lane is bounded in bytes and refuses operations beyond that; an empty lane takes
 * anything. Thread-safe.
 */
final class WriteQueue {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();

    @GuardedBy("lock")
    private final Lane log;

    @GuardedBy("lock")
    private final Lane bulk;

    private final long waitingBytes;

    @GuardedBy("lock")
    private boolean closed;

    WriteQueue(RocksDbSettings settings) {
        log = new Lane(settings.logBatchBytes());
        bulk = new Lane(settings.bulkBatchBytes());
        waitingBytes = settings.waitingBytes();
    }

    void addLog(WriteOperation operation) {
        add(true, List.of(operation));
    }

    void addBulk(List<? extends WriteOperation> operations) {
        add(false, operations);
    }

    /** Adds all operations, or fails all. */
    private void add(boolean toLog, List<? extends WriteOperation> operations) {
        StoreException refusal;
        lock.lock();
        try {
            Lane lane = toLog ? log : bulk;
            // An empty lane takes anything, since an operation above the bound would be refused for ever otherwise.
            if (closed) {
                refusal = new StoreException(Outcome.REFUSED, "store: closed", null);
            } else if (lane.waiting > 0 && lane.waiting + bytes(operations) > waitingBytes) {
                refusal = new StoreException(
                        Outcome.REFUSED,
                        "bytes waiting to be written: " + lane.waiting + " (expected: at most " + waitingBytes + ")",
                        null);
            } else {
                // One thread takes, so a single signal is enough.
                operations.forEach(lane::add);
                notEmpty.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        // Outside the lock: failing an operation runs the caller's code.
        operations.forEach(operation -> operation.fail(refusal));
    }

    /**
     * Waits for operations and moves a batch of them into the list. Returns false when the queue is closed and empty.
     */
    boolean take(List<WriteOperation> batch) {
        lock.lock();
        try {
            while (log.operations.isEmpty() && bulk.operations.isEmpty()) {
                if (closed) {
                    return false;
                }
                notEmpty.awaitUninterruptibly();
            }
            // Small cells first: they are cheaper before a large row than after one.
            bulk.moveTo(batch);
            log.moveTo(batch);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses operations from now on. Those in the queue are still taken. */
    void close() {
        lock.lock();
        try {
            closed = true;
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    private static long bytes(List<? extends WriteOperation> operations) {
        long bytes = 0;
        for (WriteOperation operation : operations) {
            bytes += operation.bytes();
        }
        return bytes;
    }

    /** A lane: operations in order of arrival. Guarded by the queue's lock. */
    private static final class Lane {

        private final Queue<WriteOperation> operations = new ArrayDeque<>();
        private final long batchBytes;
        private long waiting;

        Lane(long batchBytes) {
            this.batchBytes = batchBytes;
        }

        void add(WriteOperation operation) {
            operations.add(operation);
            waiting += operation.bytes();
        }

        /** Moves as many operations as a batch takes: at least one, if there is one. */
        void moveTo(List<WriteOperation> batch) {
            long moved = 0;
            for (WriteOperation next = operations.peek();
                    next != null && (moved == 0 || moved + next.bytes() <= batchBytes);
                    next = operations.peek()) {
                batch.add(operations.remove());
                moved += next.bytes();
            }
            waiting -= moved;
        }
    }
}
