package io.taskmaster.server.store.rocksdb.encoding;

import io.taskmaster.server.bytes.LaterFormatException;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Store;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * The newest stamp ever written in each partition. It spares writes a read: a stamp not older than this one is not
 * older than that of any cell. Only late writes of a deposed owner are older, and those must be compared with their
 * cells.
 *
 * <p>The newest epoch of a partition is stored whenever it grows, in the batch with the first cell that bears it;
 * rounds are not stored. So after a restart the newest stamp of a partition is taken to be the last possible one of its
 * stored epoch. That only costs reads, until the next owner writes with its own epoch.
 *
 * <p>Single-threaded: owned by the writer.
 */
public final class NewestStamps {

    private static final Stamp BEFORE_ALL = Stamp.NONE;
    private static final byte VERSION = 1;

    private final Map<Integer, Stamp> newest = new HashMap<>();
    private final Map<Integer, Long> stored = new HashMap<>();
    private final Map<Integer, Long> unstored = new HashMap<>();

    /** Reads the stored epochs. */
    public static NewestStamps load(RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
        NewestStamps stamps = new NewestStamps();
        try (ReadOptions options = new ReadOptions();
                RocksIterator entries = db.newIterator(family, options)) {
            for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                stamps.restore(entries.key(), entries.value());
            }
            entries.status();
        }
        return stamps;
    }

    private void restore(byte[] key, byte[] value) {
        if (value.length > 0 && value[0] > VERSION) {
            var later = new LaterFormatException(value[0], VERSION);
            throw new CorruptCellException("epoch record: " + later.getMessage(), later);
        }
        if (key.length != Store.PARTITION_PREFIX_BYTES || value.length < 2 || value[0] != VERSION) {
            throw new CorruptCellException("epoch record: " + Arrays.toString(key) + " = " + Arrays.toString(value)
                    + " (expected: a partition and version 1)");
        }
        int partition = partition(key);
        long epoch = Varints.get(value, 1);
        stored.put(partition, epoch);
        // The rounds of that epoch are not known, so each of them may have been the newest.
        newest.put(partition, new Stamp(epoch, Long.MAX_VALUE));
    }

    /**
     * Notes the stamps of some writes. Returns true if each is at least as new as all before it in its partition;
     * otherwise the writes have to be compared with their cells.
     */
    public boolean advance(List<CellWrite> writes) {
        boolean inOrder = true;
        int lastPartition = -1;
        Stamp lastNewest = BEFORE_ALL;
        for (CellWrite write : writes) {
            int partition = partition(write.key().row().unsafeArray());
            // A flush round is one partition and one stamp: all writes but the first take this path, without a lookup.
            if (partition == lastPartition && write.stamp().equals(lastNewest)) {
                continue;
            }
            Stamp known = newest.getOrDefault(partition, BEFORE_ALL);
            int order = write.stamp().compareTo(known);
            if (order < 0) {
                inOrder = false;
                continue;
            }
            if (order > 0) {
                newest.put(partition, write.stamp());
                noteEpoch(partition, write.stamp().epoch());
            }
            lastPartition = partition;
            lastNewest = write.stamp();
        }
        return inOrder;
    }

    private void noteEpoch(int partition, long epoch) {
        if (epoch > stored.getOrDefault(partition, -1L)) {
            unstored.put(partition, epoch);
        }
    }

    /**
     * Returns whether the next batch has cells of an epoch that is not stored yet. The epoch must be stored with them.
     */
    public boolean hasUnstored() {
        return !unstored.isEmpty();
    }

    /**
     * Adds the epochs that are not stored yet to a batch. They are added to every batch until one of them has
     * {@link #committed}.
     */
    public void addUnstored(BatchBuilder batch, ColumnFamily columnFamily) throws RocksDBException {
        for (Map.Entry<Integer, Long> entry : unstored.entrySet()) {
            batch.put(columnFamily, key(entry.getKey()), value(entry.getValue()));
        }
    }

    /** Notes that the batch with the epochs is durable. */
    public void committed() {
        if (!unstored.isEmpty()) {
            stored.putAll(unstored);
            unstored.clear();
        }
    }

    private static int partition(byte[] row) {
        return ((row[0] & 0xff) << Byte.SIZE) | (row[1] & 0xff);
    }

    private static byte[] key(int partition) {
        return new byte[] {(byte) (partition >>> Byte.SIZE), (byte) partition};
    }

    private static byte[] value(long epoch) {
        byte[] value = new byte[1 + Varints.bytes(epoch)];
        value[0] = VERSION;
        Varints.put(value, 1, epoch);
        return value;
    }
}
