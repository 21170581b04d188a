package io.taskmaster.server.store.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
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

/** Holds our serialised batches against those that RocksDB builds itself. */
final class SerializedBatchTest {

    @TempDir
    Path folder;

    private Database database;
    private final SerializedBatch ours = new SerializedBatch();

    @BeforeEach
    void open() throws Exception {
        NativeLibrary.load(folder.resolve("native"));
        database = Database.open(folder.resolve("db"), RocksDbSettings.DEFAULTS);
    }

    @AfterEach
    void close() throws RocksDBException {
        database.close();
    }

    @Test
    void batchIsTheOneThatRocksDbBuilds() throws RocksDBException {
        Random random = new Random(5);
        for (int round = 0; round < 20; round++) {
            try (WriteBatch theirs = new WriteBatch()) {
                for (int i = random.nextInt(200); i >= 0; i--) {
                    addToBoth(theirs, random);
                }
                assertThat(ours.toByteArray()).isEqualTo(theirs.data());
                try (WriteBatch read = new WriteBatch(ours.toByteArray())) {
                    assertThat(read.count()).isEqualTo(theirs.count());
                }
            }
            ours.clear();
            assertThat(ours.isEmpty()).isTrue();
        }
    }

    private void addToBoth(WriteBatch theirs, Random random) throws RocksDBException {
        Table table = random.nextBoolean() ? Table.TASKS : Table.META;
        ColumnFamilyHandle family = database.family(table);
        byte[] row = new byte[2 + random.nextInt(300)];
        random.nextBytes(row);
        CellKey key = new CellKey(table, Bytes.wrap(row), random.nextInt(256));
        byte[] value = new byte[random.nextInt(4) == 0 ? random.nextInt(100_000) : random.nextInt(300)];
        random.nextBytes(value);
        Stamp stamp = new Stamp(random.nextLong() >>> (1 + random.nextInt(62)), random.nextInt(1000));
        switch (random.nextInt(4)) {
            case 0 -> {
                ours.deleteCell(family.getID(), key.row(), key.column());
                theirs.delete(family, KeyCodec.key(key));
            }
            case 1 -> {
                ours.deleteRange(family.getID(), row, value);
                theirs.deleteRange(family, row, value);
            }
            case 2 -> {
                ours.put(family.getID(), row, value);
                theirs.put(family, row, value);
            }
            default -> {
                ours.putCell(family.getID(), key.row(), key.column(), stamp, Bytes.wrap(value));
                theirs.put(family, KeyCodec.key(key), ValueCodec.encode(stamp, Bytes.wrap(value)));
            }
        }
    }

    @Test
    void batchLandsInTheDatabase() throws RocksDBException {
        byte[] key = "key".getBytes(UTF_8);
        ours.put(database.epochs().getID(), key, "value".getBytes(UTF_8));
        try (WriteBatch batch = new WriteBatch(ours.toByteArray());
                WriteOptions options = new WriteOptions()) {
            database.db().write(options, batch);
        }
        assertThat(database.db().get(database.epochs(), key)).isEqualTo("value".getBytes(UTF_8));
        assertThat(database.db().getLatestSequenceNumber()).isEqualTo(1);
    }
}
