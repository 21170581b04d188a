package io.taskmaster.server.store.rocksdb.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.rocksdb.Database;
import io.taskmaster.server.store.rocksdb.NativeLibrary;
import io.taskmaster.server.store.rocksdb.RocksDbSettings;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Tests of {@link BatchBuilder} against batches that RocksDB builds itself, cell by cell. */
final class BatchBuilderTest {

    private static final int[] SMALL = {300};
    private static final int[] MIXED = {300, 300, 300, 300, 300, 300, 300, 50_000, 3_000_000};

    @TempDir
    Path folder;

    private Database database;
    private final BatchBuilder built = new BatchBuilder();

    @BeforeEach
    void open() throws Exception {
        NativeLibrary.load(folder.resolve("native"));
        database = Database.open(folder.resolve("db"), RocksDbSettings.DEFAULTS);
    }

    @AfterEach
    void close() throws RocksDBException {
        built.close();
        database.close();
    }

    @Test
    void batchIsTheOneThatRocksDbBuilds() throws RocksDBException {
        Random random = new Random(5);
        for (int round = 0; round < 20; round++) {
            try (WriteBatch expected = new WriteBatch()) {
                for (int i = random.nextInt(200); i >= 0; i--) {
                    addToBoth(expected, random, round % 2 == 0 ? SMALL : MIXED);
                }
                assertThat(built.nativeBatch().data()).isEqualTo(expected.data());
                assertThat(built.nativeBatch().count()).isEqualTo(expected.count());
            }
            built.clear();
            assertThat(built.isEmpty()).isTrue();
        }
    }

    private void addToBoth(WriteBatch expected, Random random, int[] bounds) throws RocksDBException {
        Table table = random.nextBoolean() ? Table.TASKS : Table.META;
        ColumnFamily columnFamily = database.family(table);
        ColumnFamilyHandle handle = columnFamily.handle();
        byte[] row = new byte[2 + random.nextInt(300)];
        random.nextBytes(row);
        CellKey key = new CellKey(table, Bytes.wrap(row), random.nextInt(256));
        byte[] value = new byte[random.nextInt(bounds[random.nextInt(bounds.length)])];
        random.nextBytes(value);
        Stamp stamp = new Stamp(random.nextLong() >>> (1 + random.nextInt(62)), random.nextInt(1000));
        switch (random.nextInt(4)) {
            case 0 -> {
                built.deleteCell(columnFamily, key.row(), key.column());
                expected.delete(handle, KeyCodec.key(key));
            }
            case 1 -> {
                built.deleteRange(columnFamily, row, value);
                expected.deleteRange(handle, row, value);
            }
            case 2 -> {
                built.put(columnFamily, row, value);
                expected.put(handle, row, value);
            }
            default -> {
                built.putCell(columnFamily, key.row(), key.column(), stamp, Bytes.wrap(value));
                expected.put(handle, KeyCodec.key(key), ValueCodec.encode(stamp, Bytes.wrap(value)));
            }
        }
    }

    @Test
    void batchLandsInTheDatabase() throws RocksDBException {
        byte[] key = "key".getBytes(UTF_8);
        built.put(database.epochs(), key, "value".getBytes(UTF_8));
        try (WriteOptions options = new WriteOptions()) {
            database.db().write(options, built.nativeBatch());
        }
        assertThat(database.db().get(database.epochs().handle(), key)).isEqualTo("value".getBytes(UTF_8));
        assertThat(database.db().getLatestSequenceNumber()).isEqualTo(1);
    }
}
