package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.Room;
import io.taskmaster.server.store.Room.Level;
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
 * The free space of the disk that holds the data, and what there is room for. Thread-safe.
 *
 * <pre>
 *   AMPLE --below the reserve--> LOW --below an eighth of it, or 8 MiB, or a write met a full disk--> NONE
 *         <--an eighth above it--    <--above, and a second after the last such write--
 * </pre>
 *
 * Each step is told to the log once. A write that met a full disk counts for a second only: then others may try, whatever the file system says of
 * its free space, since a quota may be what is full.
 */
final class DiskSpace {

    private static final Logger log = LoggerFactory.getLogger(DiskSpace.class);
    /** About a second. */
    private static final int TICKS_OF_A_FAILURE = (int) (1000 / Upkeep.PERIOD_MILLIS);

    private static final long MIB = 1 << 20;
    /** Less than this is not written to: RocksDB, which does not get over a write-ahead log that met a full disk, must not meet one. */
    private static final long LAST_BYTES = 8 * MIB;

    private final Path folder;
    private final FileStore disk;
    private final long reserveBytes;
    private int failingTicks;
    private volatile long lastFreeBytes = Long.MAX_VALUE;
    private volatile Room room = Room.AMPLE;

    DiskSpace(Path folder, long reserveBytes) throws IOException {
        this.folder = folder;
        this.disk = Files.getFileStore(folder);
        this.reserveBytes = reserveBytes;
        look();
    }

    Room room() {
        return room;
    }

    /** As of the last look; empty if the file system does not say. */
    OptionalLong freeBytes() {
        long bytes = lastFreeBytes;
        return bytes == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    /** Whether so much can be written, by what gives back more than that, and leaves room for what dequeues. */
    boolean hasRoomFor(long bytes) {
        return free(disk) - bytes >= full();
    }

    /**
     * Called before each write, and before whatever else may begin a write-ahead log. A fast disk takes more between two ticks than what is in
     * reserve, so this sees to it, too, that the room is known to be low.
     *
     * @throws StoreException with {@link Outcome#REFUSED} if the disk is as good as full
     */
    void requireSome() {
        long freeBytes = free(disk);
        if (freeBytes < reserveBytes && room.level() == Level.AMPLE) {
            look();
        }
        if (freeBytes < LAST_BYTES) {
            look();
            throw new StoreException(
                    Outcome.REFUSED,
                    "disk: " + freeBytes + " bytes free (expected: at least " + LAST_BYTES + ")",
                    null);
        }
    }

    /** Takes note of a write that failed, if that was for want of space. */
    synchronized void failed(Throwable failure) {
        if (failure instanceof RocksDBException rocks
                && rocks.getStatus() != null
                && rocks.getStatus().getSubCode() == SubCode.NoSpace) {
            failingTicks = TICKS_OF_A_FAILURE;
            look();
        }
    }

    /** Looks how much is free. Called every {@link Upkeep#PERIOD_MILLIS}. */
    synchronized void tick() {
        failingTicks = Math.max(0, failingTicks - 1);
        look();
    }

    private synchronized void look() {
        long freeBytes = free(disk);
        lastFreeBytes = freeBytes;
        Level before = room.level();
        Level level = level(freeBytes, before);
        room = switch (level) {
            case AMPLE -> Room.AMPLE;
            case LOW ->
                new Room(
                        level,
                        "disk: %d MiB free (expected: at least %d MiB, disk.reserve)"
                                .formatted(freeBytes / MIB, reserveBytes / MIB));
            case NONE -> new Room(level, "disk: full, %d MiB free".formatted(freeBytes / MIB));
        };
        if (level != before) {
            tell(level, freeBytes);
        }
    }

    private synchronized Level level(long freeBytes, Level before) {
        if (failingTicks > 0 || freeBytes < full()) {
            return Level.NONE;
        }
        long enough = before == Level.AMPLE ? reserveBytes : reserveBytes + reserveBytes / 8;
        return freeBytes < enough ? Level.LOW : Level.AMPLE;
    }

    /** With less free, nothing is written. */
    private long full() {
        return Math.max(LAST_BYTES, reserveBytes / 8);
    }

    private void tell(Level level, long freeBytes) {
        switch (level) {
            case AMPLE -> log.info("{}: the disk has room again, {} bytes free", folder, freeBytes);
            case LOW ->
                log.warn(
                        "{}: the disk has {} bytes free (expected: at least {}, disk.reserve): updates that enqueue are refused with"
                                + " STORE_FULL, all else goes on; free space on the disk, or let workers dequeue",
                        folder,
                        freeBytes,
                        reserveBytes);
            case NONE ->
                log.error(
                        "{}: the disk is full, {} bytes free: all that writes is refused with STORE_FULL; free space on the disk, and"
                                + " it goes on by itself",
                        folder,
                        freeBytes);
        }
    }

    /** For messages: how much is free where a folder is or would be. */
    static String describe(Path folder) {
        Path there = folder.toAbsolutePath();
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        try {
            return there == null ? "on no disk" : free(Files.getFileStore(there)) + " bytes free";
        } catch (IOException unknown) {
            return "free space unknown";
        }
    }

    private static long free(FileStore disk) {
        try {
            return disk.getUsableSpace();
        } catch (IOException unknown) {
            // A failing write will tell.
            return Long.MAX_VALUE;
        }
    }
}
