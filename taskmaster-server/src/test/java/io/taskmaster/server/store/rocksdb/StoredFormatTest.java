package io.taskmaster.server.store.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.rocksdb.encoding.CorruptCellException;
import io.taskmaster.server.store.rocksdb.encoding.KeyCodec;
import io.taskmaster.server.store.rocksdb.encoding.ValueCodec;
import io.taskmaster.server.store.rocksdb.encoding.Varints;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A test of the stored form of cells against a golden file. Each line has row, column, epoch, round and value of a
 * cell, then its key and its value as RocksDB stores them. A change that breaks this test makes existing folders
 * unreadable.
 */
final class StoredFormatTest {

    private static final HexFormat HEX = HexFormat.of();

    private record Golden(CellKey cell, Stamp stamp, Bytes value, Bytes storedKey, Bytes storedValue) {

        static Golden parse(String line) {
            String[] fields = line.split("\\s*\\|\\s*", -1);
            return new Golden(
                    new CellKey(Table.TASKS, bytes(fields[0]), Integer.parseInt(fields[1])),
                    new Stamp(Long.parseLong(fields[2]), Long.parseLong(fields[3])),
                    bytes(fields[4]),
                    bytes(fields[5]),
                    bytes(fields[6]));
        }

        private static Bytes bytes(String hex) {
            return Bytes.wrap(HEX.parseHex(hex));
        }
    }

    private static List<Golden> goldenCells() throws IOException {
        List<Golden> cells = new ArrayList<>();
        try (InputStream file = StoredFormatTest.class.getResourceAsStream("cells-1.golden")) {
            assertThat(file).isNotNull();
            for (String line : new String(file.readAllBytes(), UTF_8).lines().toList()) {
                if (!line.startsWith("#")) {
                    cells.add(Golden.parse(line));
                }
            }
        }
        return cells;
    }

    @Test
    void cellsAreStoredAsInTheGoldenFile() throws IOException {
        assertThat(goldenCells()).isNotEmpty().allSatisfy(golden -> {
            assertThat(KeyCodec.key(golden.cell())).isEqualTo(golden.storedKey().toByteArray());
            assertThat(ValueCodec.encode(golden.stamp(), golden.value()))
                    .isEqualTo(golden.storedValue().toByteArray());
        });
    }

    @Test
    void cellsOfTheGoldenFileAreRead() throws IOException {
        assertThat(goldenCells()).isNotEmpty().allSatisfy(golden -> {
            assertThat(KeyCodec.decode(Table.TASKS, golden.storedKey().toByteArray()))
                    .isEqualTo(golden.cell());
            byte[] stored = golden.storedValue().toByteArray();
            Stamp stamp = ValueCodec.stamp(stored);
            assertThat(stamp).isEqualTo(golden.stamp());
            assertThat(ValueCodec.value(stored, stamp)).isEqualTo(golden.value());
        });
    }

    @Test
    void otherVersionsAndTornHeadersAreCorrupt() {
        for (byte[] stored :
                List.of(new byte[0], new byte[] {2, 0, 0}, new byte[] {1}, new byte[] {1, 5, (byte) 0x80})) {
            assertThatThrownBy(() -> ValueCodec.stamp(stored)).isInstanceOf(CorruptCellException.class);
        }
    }

    @Test
    void numbersOfEveryLengthComeBack() {
        for (int bits = 0; bits < Long.SIZE; bits++) {
            for (long value : new long[] {(1L << bits) - 1, bits == 63 ? Long.MAX_VALUE : 1L << bits}) {
                byte[] encoded = new byte[Varints.bytes(value)];
                assertThat(Varints.put(encoded, 0, value)).isEqualTo(encoded.length);
                assertThat(Varints.get(encoded, 0)).isEqualTo(value);
            }
        }
    }
}
