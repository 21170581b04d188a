package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A data folder in which one process opens the store, and reopens it after it broke. It remembers up to where the store
 * was durable, so it rejects an older copy of the folder that has appeared at the same path. Not thread-safe: for one
 * thread after the other.
 */
public final class RocksDbFolder {

    private final Path path;
    private final RocksDbSettings settings;
    private final long reserveBytes;
    private Optional<RocksDbStore> last = Optional.empty();

    /**
     * Names a folder that is not open yet.
     *
     * @param reserveBytes the free disk space below which {@link RocksDbStore#freeSpace} is low
     */
    public RocksDbFolder(Path path, RocksDbSettings settings, long reserveBytes) {
        this.path = path;
        this.settings = settings;
        this.reserveBytes = reserveBytes;
    }

    /**
     * Opens the store for the first time, as {@link RocksDbStore#open(Path, RocksDbSettings)} does: missing data are
     * created.
     */
    public RocksDbStore open() {
        return open(0);
    }

    /**
     * Reopens the store after it was closed. If the folder is gone, for instance because its disk was unmounted,
     * nothing is created in its place.
     *
     * @throws StoreException with {@link Outcome#REFUSED} if there is no data folder at that path now; with
     *     {@link Outcome#CORRUPT} if the folder there lacks data that were durable
     */
    public RocksDbStore reopen() {
        if (!DataFolder.isAt(path)) {
            throw new StoreException(
                    Outcome.REFUSED,
                    "data folder: " + path + " no longer contains data of TaskMaster"
                            + " (expected: the folder that was open before; check that its disk is mounted)",
                    null);
        }
        return open(last.map(RocksDbStore::durableSequence).orElse(0L));
    }

    private RocksDbStore open(long durable) {
        RocksDbStore opened = RocksDbStore.open(path, settings, reserveBytes, durable);
        last = Optional.of(opened);
        return opened;
    }
}
