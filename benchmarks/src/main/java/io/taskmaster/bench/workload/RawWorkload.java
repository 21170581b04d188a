package io.taskmaster.bench.workload;

import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.report.Row;
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
 * Write batches straight into RocksDB, one after the other on one thread, each synced before the next: what the embedded store
 * leaves for the server to reach. One synced batch at a time is also how the server writes its log, so more threads would be another
 * question.
 *
 * @param batch rows per write batch, each as large as a task
 */
public record RawWorkload(int batch) implements Workload.OnDisk {

    /** The batch that enqueues of many tasks are held against. */
    static final int COMPARED_BATCH = 50;

    private static final int KEY_BYTES = 24;
    private static final long WRITE_BUFFER_BYTES = 64 << 20;

    static String rowOf(int batch) {
        return "raw x" + batch;
    }

    @Override
    public String row() {
        return rowOf(batch);
    }

    @Override
    public Row run(Scene scene, Path folder) {
        RocksDB.loadLibrary();
        byte[] data = scene.data().toByteArray();
        try (Options options = new Options()
                        .setCreateIfMissing(true)
                        .setCompressionType(CompressionType.NO_COMPRESSION)
                        .setWriteBufferSize(WRITE_BUFFER_BYTES);
                WriteOptions synced = new WriteOptions().setSync(true);
                RocksDB db = RocksDB.open(options, folder.toString())) {
            Duration warmup = scene.load().timing().warmup();
            Duration measured = scene.load().timing().measured();
            long written = write(db, synced, data, 0, warmup, new Latencies());
            Latencies latencies = new Latencies();
            long startNanos = System.nanoTime();
            write(db, synced, data, written, measured, latencies);
            Duration length = Duration.ofNanos(System.nanoTime() - startNanos);
            long rows = latencies.count() * batch;
            return Row.rate(
                    row(),
                    "one operation = one synced RocksDB write batch of %d rows, one at a time".formatted(batch),
                    new Measurement(latencies, latencies.count(), rows, rows, Map.of(), length));
        } catch (RocksDBException e) {
            throw new IllegalStateException("raw batches failed", e);
        }
    }

    /** Writes batches of ascending keys for so long; returns the number after the last key. */
    private long write(RocksDB db, WriteOptions synced, byte[] data, long first, Duration duration, Latencies latencies)
            throws RocksDBException {
        long number = first;
        long endNanos = System.nanoTime() + duration.toNanos();
        long nowNanos = System.nanoTime();
        try (WriteBatch rows = new WriteBatch()) {
            while (nowNanos - endNanos < 0) {
                long startNanos = nowNanos;
                rows.clear();
                for (int i = 0; i < batch; i++) {
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
}
