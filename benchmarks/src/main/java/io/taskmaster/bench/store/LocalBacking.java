package io.taskmaster.bench.store;

import io.taskmaster.bench.report.Subject;
import java.nio.file.Path;
import java.util.Map;
import org.rocksdb.RocksDB;

/**
 * The folder that each server has anyway, or its memory. Either is held against RocksDB. Immutable.
 *
 * @param store its kind, as servers know it
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

    /** Folders go with those who made them. */
    @Override
    public void close() {}
}
