package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A data folder in which one process opens the store, and opens it anew when it broke. It remembers how far the store was durable, and so is not taken in by
 * an older copy of the folder at the same path. Not thread-safe: for one thread after the other.
 */
public final class RocksDbFolder {

    private final Path path;
    private final RocksDbSettings settings;
    private final long reserveBytes;
    private Optional<RocksDbStore> last = Optional.empty();

    /**
     * A folder that is not open yet.
     *
     * @param reserveBytes free space of its disk below which the store has little {@link RocksDbStore#room}
     */
    public RocksDbFolder(Path path, RocksDbSettings settings, long reserveBytes) {
        this.path = path;
        this.settings = settings;
        this.reserveBytes = reserveBytes;
    }

    /** Opens the store for the first time, as {@link RocksDbStore#open(Path, RocksDbSettings)}: what is missing is made. */
    public RocksDbStore open() {
        return open(0);
    }

    /**
     * Opens the store again, which is closed. Where the folder is gone, such as with its disk, nothing is made in its place.
     *
     * @throws StoreException with {@link Outcome#REFUSED} if there is no data folder at that path now; with {@link Outcome#CORRUPT} if the one that is there lacks
     *     what was durable
     */
    public RocksDbStore reopen() {
        if (!DataFolder.isAt(path)) {
            throw new StoreException(
                    Outcome.REFUSED,
                    "data folder: nothing of TaskMaster is at " + path
                            + " any more (expected: the folder that was open; is its disk mounted?)",
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
