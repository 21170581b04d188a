package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.FreeSpace;
import io.taskmaster.server.store.FreeSpace.Level;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status.SubCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The free space of the disk that holds the data, and the requests that it still admits. Thread-safe.
 *
 * <p>Reserve is {@code disk.reserve}; full is an eighth of the reserve, or 8 MiB if that is more.
 *
 * <pre>{@code
 * state  | event                                     | next  | effect
 * -------+-------------------------------------------+-------+---------------------------------------------
 * AMPLE  | free < reserve                            | LOW   | updates that add tasks are refused
 * AMPLE, | free < full, or a write met a full disk   | NONE  | all writes are refused
 * LOW    |                                           |       |
 * LOW    | free >= 9/8 of the reserve                | AMPLE | all requests are admitted
 * NONE   | free >= full, and 1 s since the last      | LOW   | requests that remove or move tasks are
 *        | write that met a full disk                |       | admitted (AMPLE at 9/8 of the reserve)
 * }</pre>
 *
 * <p>Each transition is logged once. The step of an eighth prevents flapping. A write that met a full disk counts for a
 * second only: then other writes may try, whatever the file system says of its free space, since the full one may be a
 * quota.
 */
final class DiskSpace {

    private static final Logger log = LoggerFactory.getLogger(DiskSpace.class);
    /** The number of ticks in about a second. */
    private static final int TICKS_OF_A_FAILURE = (int) (1000 / Maintenance.PERIOD_MILLIS);

    private static final long MIB = 1 << 20;
    /**
     * The free space below which nothing is written. RocksDB does not recover from a write-ahead log that met a full
     * disk, so it must not meet one.
     */
    private static final long LAST_BYTES = 8 * MIB;

    private final Path folder;
    private final FileStore disk;
    private final long reserveBytes;
    private int failingTicks;
    private volatile long lastFreeBytes = Long.MAX_VALUE;
    private volatile FreeSpace freeSpace = FreeSpace.AMPLE;

    DiskSpace(Path folder, long reserveBytes) throws IOException {
        this.folder = folder;
        this.disk = Files.getFileStore(folder);
        this.reserveBytes = reserveBytes;
        check();
    }

    FreeSpace freeSpace() {
        return freeSpace;
    }

    /** The free bytes at the last look; empty if the file system does not say. */
    OptionalLong freeBytes() {
        long bytes = lastFreeBytes;
        return bytes == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    /**
     * Returns whether this many bytes can be written and the disk still has space for dequeues. For operations that
     * free more than they write.
     */
    boolean fits(long bytes) {
        return free(disk) - bytes >= full();
    }

    /**
     * Checks the free space. Called before each write, and before any other operation that may begin a write-ahead log.
     * A fast disk fills more between two ticks than the reserve, so this also lowers the level in time.
     *
     * @throws StoreException with {@link Outcome#REFUSED} if the disk is all but full
     */
    void requireFree() {
        long freeBytes = free(disk);
        if (freeBytes < reserveBytes && freeSpace.level() == Level.AMPLE) {
            check();
        }
        if (freeBytes < LAST_BYTES) {
            check();
            throw new StoreException(
                    Outcome.REFUSED,
                    "disk: " + freeBytes + " bytes free (expected: at least " + LAST_BYTES + ")",
                    null);
        }
    }

    /** Notes a failed write, if it failed for want of space. */
    synchronized void failed(Throwable failure) {
        if (failure instanceof RocksDBException rocks
                && rocks.getStatus() != null
                && rocks.getStatus().getSubCode() == SubCode.NoSpace) {
            failingTicks = TICKS_OF_A_FAILURE;
            check();
        }
    }

    /** Looks at the free space. Called every {@link Maintenance#PERIOD_MILLIS}. */
    synchronized void tick() {
        failingTicks = Math.max(0, failingTicks - 1);
        check();
    }

    private synchronized void check() {
        long freeBytes = free(disk);
        lastFreeBytes = freeBytes;
        Level before = freeSpace.level();
        Level level = level(freeBytes, before);
        freeSpace = switch (level) {
            case AMPLE -> FreeSpace.AMPLE;
            case LOW ->
                new FreeSpace(
                        level,
                        "disk: %d MiB free (expected: at least %d MiB, disk.reserve)"
                                .formatted(freeBytes / MIB, reserveBytes / MIB));
            case NONE -> new FreeSpace(level, "disk: full, %d MiB free".formatted(freeBytes / MIB));
        };
        if (level != before) {
            report(level, freeBytes);
        }
    }

    private synchronized Level level(long freeBytes, Level before) {
        if (failingTicks > 0 || freeBytes < full()) {
            return Level.NONE;
        }
        long enough = before == Level.AMPLE ? reserveBytes : reserveBytes + reserveBytes / 8;
        return freeBytes < enough ? Level.LOW : Level.AMPLE;
    }

    /** The free space below which nothing is written. */
    private long full() {
        return Math.max(LAST_BYTES, reserveBytes / 8);
    }

    private void report(Level level, long freeBytes) {
        switch (level) {
            case AMPLE -> log.info("{}: the disk has enough space again, {} bytes free", folder, freeBytes);
            case LOW ->
                log.warn(
                        "{}: the disk has {} bytes free (expected: at least {}, disk.reserve). Updates that enqueue are rejected with"
                                + " STORE_FULL; everything else works. Free space on the disk, or let workers dequeue tasks",
                        folder,
                        freeBytes,
                        reserveBytes);
            case NONE ->
                log.error(
                        "{}: the disk is full, {} bytes free. All requests that write are rejected with STORE_FULL. Free space on the disk;"
                                + " the server then recovers by itself",
                        folder,
                        freeBytes);
        }
    }

    /** Returns the free space of the disk where a folder is or would be, for messages. */
    static String describe(Path folder) {
        Path existing = folder.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        try {
            return existing == null ? "no such disk" : free(Files.getFileStore(existing)) + " bytes free";
        } catch (IOException unknown) {
            return "free space unknown";
        }
    }

    private static long free(FileStore disk) {
        try {
            return disk.getUsableSpace();
        } catch (IOException unknown) {
            // A failing write will show it.
            return Long.MAX_VALUE;
        }
    }
}
