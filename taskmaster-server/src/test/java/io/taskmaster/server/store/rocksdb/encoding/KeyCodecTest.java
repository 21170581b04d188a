package io.taskmaster.server.store.rocksdb.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Table;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class KeyCodecTest {

    private final Random random = new Random(3);

    @Test
    void orderOfKeysIsTheOrderOfCells() {
        for (int i = 0; i < 100_000; i++) {
            CellKey a = randomKey();
            CellKey b = randomKey();
            assertThat(Integer.signum(Arrays.compareUnsigned(KeyCodec.key(a), KeyCodec.key(b))))
                    .as("%s and %s", a, b)
                    .isEqualTo(Integer.signum(a.compareTo(b)));
        }
    }

    @Test
    void boundLiesBetweenTheRowsBelowAndTheRowsFromItOn() {
        for (int i = 0; i < 100_000; i++) {
            CellKey key = randomKey();
            Bytes bound = random.nextInt(10) == 0
                    ? Bytes.wrap(randomBytes(random.nextInt(2)))
                    : randomKey().row();
            assertThat(Arrays.compareUnsigned(KeyCodec.bound(bound), KeyCodec.key(key)) <= 0)
                    .as("%s from %s on", key, bound)
                    .isEqualTo(bound.compareTo(key.row()) <= 0);
        }
    }

    @Test
    void keysComeBack() {
        for (int i = 0; i < 10_000; i++) {
            CellKey key = randomKey();
            assertThat(KeyCodec.decode(Table.TASKS, KeyCodec.key(key))).isEqualTo(key);
        }
    }

    @Test
    void keysOfOneRowAreRecognised() {
        CellKey key = randomKey();
        byte[] other = KeyCodec.key(new CellKey(key.table(), key.row(), key.column() ^ 1));
        assertThat(KeyCodec.sameRow(KeyCodec.key(key), other)).isTrue();
        assertThat(KeyCodec.sameRow(new byte[0], other)).isFalse();
        assertThat(KeyCodec.sameRow(hex("0001410001" + "00"), hex("0001420001" + "00")))
                .isFalse();
    }

    @Test
    void foreignKeysAreCorrupt() {
        for (String key : List.of("", "00", "000100", "0001000200", "0001" + "0041" + "000100")) {
            assertThatThrownBy(() -> KeyCodec.decode(Table.TASKS, hex(key)))
                    .as(key)
                    .isInstanceOf(CorruptCellException.class);
        }
    }

    private CellKey randomKey() {
        byte[] row = randomBytes(2 + random.nextInt(5));
        return new CellKey(Table.TASKS, Bytes.wrap(row), random.nextBoolean() ? random.nextInt(2) : 255);
    }

    /** Returns few different bytes, so that prefixes, repetitions and sequences like the end of a row are common. */
    private byte[] randomBytes(int length) {
        byte[] alphabet = {0, 1, 2, (byte) 0xff};
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = alphabet[random.nextInt(alphabet.length)];
        }
        return bytes;
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }
}
