package io.taskmaster.bench.store;

import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.load.Measurement;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.rocksdb.CompressionType;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Write batches to RocksDB, one after the other on one thread, each synced before the next: the limit that the embedded
 * store sets for the server. The server writes its log the same way, one synced batch at a time, so batches from
 * several threads would measure something else. Single-threaded: owned by the run.
 */
final class RawRocksDB implements RawStore {

    private static final int KEY_BYTES = 24;
    private static final long WRITE_BUFFER_BYTES = 64 << 20;

    private final Options options;
    private final WriteOptions synced;
    private final RocksDB db;

    private RawRocksDB(Options options, WriteOptions synced, RocksDB db) {
        this.options = options;
        this.synced = synced;
        this.db = db;
    }

    static RawRocksDB openIn(Path folder) {
        RocksDB.loadLibrary();
        Options options = new Options()
                .setCreateIfMissing(true)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setWriteBufferSize(WRITE_BUFFER_BYTES);
        try {
            return new RawRocksDB(options, new WriteOptions().setSync(true), RocksDB.open(options, folder.toString()));
        } catch (RocksDBException e) {
            options.close();
            throw new IllegalStateException("cannot open RocksDB in " + folder, e);
        }
    }

    @Override
    public String unit(RawLoad load) {
        return "one operation = one synced RocksDB write batch of %d rows, one at a time".formatted(load.batch());
    }

    @Override
    public Measurement write(RawLoad load) {
        try {
            long written = write(load, 0, load.timing().warmup(), new Latencies());
            Latencies latencies = new Latencies();
            long startNanos = System.nanoTime();
            write(load, written, load.timing().measured(), latencies);
            Duration length = Duration.ofNanos(System.nanoTime() - startNanos);
            long rows = latencies.count() * load.batch();
            return new Measurement(latencies, latencies.count(), rows, rows, Map.of(), length);
        } catch (RocksDBException e) {
            throw new IllegalStateException("raw batches failed", e);
        }
    }

    /**
     * Writes batches of ascending keys for this duration.
     *
     * @return the number after the last key
     */
    private long write(RawLoad load, long first, Duration duration, Latencies latencies) throws RocksDBException {
        byte[] data = load.data().toByteArray();
        long number = first;
        long endNanos = System.nanoTime() + duration.toNanos();
        long nowNanos = System.nanoTime();
        try (WriteBatch rows = new WriteBatch()) {
            while (nowNanos - endNanos < 0) {
                long startNanos = nowNanos;
                rows.clear();
                for (int i = 0; i < load.batch(); i++) {
                    byte[] key = new byte[KEY_BYTES];
                    ByteBuffer.wrap(key).putLong(KEY_BYTES - Long.BYTES, number++);
                    rows.put(key, data);
                }
                db.write(synced, rows);
                nowNanos = System.nanoTime();
                latencies.record(nowNanos - startNanos);
            }
        }
        return number;
    }

    @Override
    public void close() {
        db.close();
        synced.close();
        options.close();
    }
}
