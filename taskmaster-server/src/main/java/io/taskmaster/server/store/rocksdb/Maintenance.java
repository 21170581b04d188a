package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.FreeSpace.Level;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.rocksdb.encoding.ColumnFamily;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.RocksDBException;
import org.rocksdb.TableProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The periodic maintenance of a store, four times a second: it looks at the free space, reclaims space where that is
 * short, and keeps the witness of the manifest up to date. Single-threaded: owned by the upkeep thread, but for
 * reclaiming, which runs on the flusher.
 *
 * <p>Where space is short, memtables are written out, so that their write-ahead logs can go, and families are compacted
 * in which a quarter of the entries are deletions. Without that, a drained queue would hold its space until more is
 * enqueued, which is refused for want of space. A compaction writes what stays before it frees what goes, so none is
 * begun that would fill the disk: the more was dequeued, the less it writes.
 */
final class Maintenance implements Runnable {

    static final long PERIOD_MILLIS = 250;

    private static final Logger log = LoggerFactory.getLogger(Maintenance.class);
    private static final int RUNS_BETWEEN_RECLAIMS = 12;
    private static final int RUNS_BETWEEN_MARKERS = 4;
    private static final int ENTRIES_PER_DELETION = 4;

    private final Database database;
    private final DurabilityMarker durabilityMarker;
    private final DiskSpace space;
    private final FailureLatch failureLatch;
    private final Executor flusher;
    private final AtomicBoolean reclaiming = new AtomicBoolean();
    private int runs;
    private int reclaimAt;

    Maintenance(
            Database database,
            DurabilityMarker durabilityMarker,
            DiskSpace space,
            FailureLatch failureLatch,
            Executor flusher) {
        this.database = database;
        this.durabilityMarker = durabilityMarker;
        this.space = space;
        this.failureLatch = failureLatch;
        this.flusher = flusher;
    }

    @Override
    public void run() {
        runs++;
        space.tick();
        // After a failure nothing is written through this handle, and nothing of it is stated to be durable (ADR 12).
        if (failureLatch.hasFailed()) {
            return;
        }
        if (runs % RUNS_BETWEEN_MARKERS == 0) {
            durabilityMarker.noteManifest();
        }
        if (space.freeSpace().level() != Level.AMPLE && runs >= reclaimAt && reclaiming.compareAndSet(false, true)) {
            // At most every 3 s, and never two at a time, since the flusher serves syncs, too.
            reclaimAt = runs + RUNS_BETWEEN_RECLAIMS;
            try {
                flusher.execute(this::reclaim);
            } catch (RejectedExecutionException closed) {
                reclaiming.set(false);
            }
        }
    }

    private void reclaim() {
        try {
            database.flush(database.all(), space);
            for (ColumnFamily columnFamily : database.families()) {
                compact(columnFamily);
            }
        } catch (StoreException refused) {
            log.debug("nothing is written out", refused);
        } catch (RocksDBException failure) {
            space.failed(failure);
            failureLatch.failed(failure, database.rocksDbFailures().of(Outcome.UNKNOWN, "flush", failure));
            log.debug("nothing could be given back", failure);
        } finally {
            reclaiming.set(false);
        }
    }

    private void compact(ColumnFamily columnFamily) throws RocksDBException {
        long entries = 0;
        long deletions = 0;
        long bytes = 0;
        for (TableProperties table :
                database.db().getPropertiesOfAllTables(columnFamily.handle()).values()) {
            entries += table.getNumEntries();
            deletions += table.getNumDeletions();
            bytes += table.getDataSize();
        }
        if (deletions > 0
                && deletions * ENTRIES_PER_DELETION >= entries
                && space.fits(Math.min(remainingBytes(entries, deletions, bytes), Tuning.MAX_COMPACTION_BYTES))) {
            space.requireFree();
            database.db().compactRange(columnFamily.handle());
        }
    }

    /**
     * Returns the number of bytes that a compaction would write, assuming that each deletion meets the entry that it
     * deletes, of average size.
     */
    static long remainingBytes(long entries, long deletions, long bytes) {
        long puts = entries - deletions;
        return puts <= deletions ? 0 : (long) ((double) bytes / puts * (puts - deletions));
    }
}
