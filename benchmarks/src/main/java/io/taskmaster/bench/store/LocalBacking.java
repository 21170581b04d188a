package io.taskmaster.bench.store;

import io.taskmaster.bench.report.Subject;
import java.nio.file.Path;
import java.util.Map;
import org.rocksdb.RocksDB;

/**
 * The folder of a server, or its memory. Both are compared with RocksDB. Immutable.
 *
 * @param store the kind of store, as in the settings of a server
 */
public record LocalBacking(String store) implements Backing {

    @Override
    public Subject subject() {
        RocksDB.loadLibrary();
        return Subject.of(store).withVersion("rocksdb", RocksDB.rocksdbVersion().toString());
    }

    @Override
    public RawStore openRaw(Path emptyFolder) {
        return RawRocksDB.openIn(emptyFolder);
    }

    @Override
    public Map<String, String> freshSettings() {
        return Map.of();
    }

    /** Does nothing: folders are deleted by the code that created them. */
    @Override
    public void close() {}
}
