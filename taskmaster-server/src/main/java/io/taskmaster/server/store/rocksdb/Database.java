package io.taskmaster.server.store.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.UnknownLayoutException;
import io.taskmaster.server.store.rocksdb.encoding.ColumnFamily;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * An open RocksDB: a column family per table, one for the epochs, and the default one, which stays empty. It owns all
 * native objects of its lifetime and closes them in reverse order of creation. Thread-safe, but the owner must stop all
 * use before it calls {@link #close}.
 */
public final class Database implements AutoCloseable {

    private static final String DEFAULT = "default";
    private static final String EPOCHS = "epochs";

    private final Deque<AutoCloseable> owned;
    private final Map<Table, ColumnFamily> tables = new EnumMap<>(Table.class);
    private final RocksDB db;
    private final RocksDbFailures rocksDbFailures;
    private final ColumnFamily epochs;

    private Database(Path path, RocksDbSettings settings, Deque<AutoCloseable> owned) throws RocksDBException {
        this.owned = owned;
        this.rocksDbFailures = new RocksDbFailures(path);
        Tuning tuning = new Tuning(settings, owned);
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        descriptors.add(new ColumnFamilyDescriptor(DEFAULT.getBytes(UTF_8), tuning.small()));
        for (Table table : Table.values()) {
            descriptors.add(new ColumnFamilyDescriptor(name(table).getBytes(UTF_8), tuning.forTable(table)));
        }
        descriptors.add(new ColumnFamilyDescriptor(EPOCHS.getBytes(UTF_8), tuning.small()));
        checkFamilies(path, descriptors);

        List<ColumnFamilyHandle> handles = new ArrayList<>();
        db = RocksDB.open(tuning.database(), path.toString(), descriptors, handles);
        owned.push(db::closeE);
        // Pushed after the database, so that they are closed before it.
        handles.forEach(owned::push);
        Iterator<ColumnFamilyHandle> inOrder = handles.iterator();
        inOrder.next();
        for (Table table : Table.values()) {
            tables.put(table, ColumnFamily.of(inOrder.next()));
        }
        epochs = ColumnFamily.of(inOrder.next());
    }

    public static Database open(Path path, RocksDbSettings settings) throws RocksDBException {
        Deque<AutoCloseable> owned = new ArrayDeque<>();
        try {
            return new Database(path, settings, owned);
        } catch (RocksDBException | RuntimeException failure) {
            closeAll(owned);
            throw failure;
        }
    }

    public RocksDB db() {
        return db;
    }

    /** The translation of its failures. */
    RocksDbFailures rocksDbFailures() {
        return rocksDbFailures;
    }

    public ColumnFamily family(Table table) {
        ColumnFamily columnFamily = tables.get(table);
        if (columnFamily == null) {
            throw new IllegalArgumentException("table: " + table + " (expected: one with a column family)");
        }
        return columnFamily;
    }

    /** The column families of the tables that {@code write} and {@code stage} change. All others are always logged. */
    List<ColumnFamilyHandle> stageable() {
        return Stream.of(Table.TASKS, Table.DELAYED, Table.META)
                .map(table -> family(table).handle())
                .toList();
    }

    /** The column families of the tables and of the epochs. */
    List<ColumnFamily> families() {
        return Stream.concat(tables.values().stream(), Stream.of(epochs)).toList();
    }

    List<ColumnFamilyHandle> all() {
        return families().stream().map(ColumnFamily::handle).toList();
    }

    public ColumnFamily epochs() {
        return epochs;
    }

    /**
     * Writes the memtables of families out, and returns when that is done. Each flush may begin a write-ahead log, so
     * each checks the free space first.
     *
     * @throws StoreException with {@link StoreException.Outcome#REFUSED} if the disk is all but full
     */
    void flush(List<ColumnFamilyHandle> written, DiskSpace space) throws RocksDBException {
        // The callers wait for the flush, so it rather stalls writes than waits until it would not.
        try (FlushOptions options = new FlushOptions().setWaitForFlush(true).setAllowWriteStall(true)) {
            for (ColumnFamilyHandle family : written) {
                space.requireFree();
                db.flush(options, family);
            }
        }
    }

    private static String name(Table table) {
        return table.name().toLowerCase(Locale.ROOT);
    }

    private static void checkFamilies(Path path, List<ColumnFamilyDescriptor> known) throws RocksDBException {
        if (!Files.exists(path.resolve("CURRENT"))) {
            return;
        }
        Set<String> unknown = new HashSet<>();
        try (Options options = new Options()) {
            for (byte[] name : RocksDB.listColumnFamilies(options, path.toString())) {
                unknown.add(new String(name, UTF_8));
            }
        }
        known.forEach(family -> unknown.remove(new String(family.getName(), UTF_8)));
        if (!unknown.isEmpty()) {
            throw new UnknownLayoutException("data folder: " + path + " has column families " + unknown
                    + " (expected: column families of this version or an earlier one)");
        }
    }

    @Override
    public void close() throws RocksDBException {
        // Waits for compactions in flight, which use what is closed below.
        db.cancelAllBackgroundWork(true);
        closeAll(owned);
    }

    private static void closeAll(Deque<AutoCloseable> owned) throws RocksDBException {
        RocksDBException failed = null;
        while (!owned.isEmpty()) {
            try {
                owned.pop().close();
            } catch (RocksDBException failure) {
                failed = failure;
            } catch (Exception impossible) {
                throw new AssertionError(impossible);
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
