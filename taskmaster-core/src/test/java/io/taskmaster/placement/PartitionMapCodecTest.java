package io.taskmaster.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PartitionMapCodecTest {

    private static final NodeRef A = new NodeRef("a", 0x1122334455667788L, "a:1");
    private static final NodeRef B = new NodeRef("b", -1, "b:1");

    private static final PartitionMap MAP = new PartitionMap(
            300,
            List.of(
                    new MapEntry(Optional.of(B), Optional.empty(), 300),
                    new MapEntry(Optional.of(A), Optional.of(B), 299),
                    new MapEntry(Optional.of(A), Optional.empty(), 1)));

    /** The bytes of a map of format 1, which later versions must read. */
    private static final String GOLDEN = "01" // format
            + "ac02" // version 300
            + "02" // nodes
            + "0161" + "1122334455667788" + "03613a31"
            + "0162" + "ffffffffffffffff" + "03623a31"
            + "03" // partitions
            + "020000" + "010201" + "0100ab02";

    @Test
    void formatStaysAsItIs() {
        assertThat(HexFormat.of().formatHex(PartitionMapCodec.encode(MAP).unsafeArray()))
                .isEqualTo(GOLDEN);
        assertThat(PartitionMapCodec.decode(bytes(GOLDEN))).isEqualTo(MAP);
    }

    @Test
    void everyMapIsReadAsItWasWritten() {
        SplittableRandom random = new SplittableRandom(1);
        for (int run = 0; run < 300; run++) {
            PartitionMap map = anyMap(random);
            Bytes bytes = PartitionMapCodec.encode(map);
            assertThat(PartitionMapCodec.decode(bytes)).isEqualTo(map);
        }
    }

    @Test
    void laterFormatIsRefusedByItsNumber() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PartitionMapCodec.decode(bytes("02" + GOLDEN.substring(2))))
                .withMessage("format of the partition map: 2 (expected: 1)");
    }

    @Test
    void damagedBytesAreRefusedWithOneTypeOfException() {
        byte[] good = bytes(GOLDEN).unsafeArray();
        for (int end = 0; end < good.length; end++) {
            Bytes cut = Bytes.copyOf(Arrays.copyOf(good, end));
            assertThatThrownBy(() -> PartitionMapCodec.decode(cut)).isExactlyInstanceOf(IllegalArgumentException.class);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> PartitionMapCodec.decode(bytes(GOLDEN + "00")));
        SplittableRandom random = new SplittableRandom(2);
        for (int run = 0; run < 20_000; run++) {
            byte[] damaged = good.clone();
            damaged[random.nextInt(good.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                PartitionMap other = PartitionMapCodec.decode(Bytes.wrap(damaged));
                assertThat(PartitionMapCodec.encode(other)).isEqualTo(Bytes.wrap(damaged));
            } catch (IllegalArgumentException refused) {
                assertThat(refused).isExactlyInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void nodesThatNoEntryNamesAreRefused() {
        String unnamed = GOLDEN.replace("020000" + "010201", "010000" + "010001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PartitionMapCodec.decode(bytes(unnamed)))
                .withMessageContaining("expected: those of the entries");
    }

    private static PartitionMap anyMap(SplittableRandom random) {
        long version = random.nextLong(1L << random.nextInt(1, 63));
        int partitions = random.nextInt(1, 300);
        if (random.nextInt(10) == 0) {
            return PartitionMap.unplaced(partitions, version);
        }
        List<NodeRef> nodes = new ArrayList<>();
        int count = random.nextInt(1, 200);
        for (int i = 0; i < count; i++) {
            nodes.add(new NodeRef("knoten-ü-" + i % 150, random.nextLong(), "10.0.0." + i + ":7400"));
        }
        List<MapEntry> entries = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            NodeRef owner = nodes.get(random.nextInt(count));
            NodeRef other = nodes.get(random.nextInt(count));
            boolean moves = random.nextInt(5) == 0 && !other.equals(owner);
            entries.add(new MapEntry(
                    Optional.of(owner), moves ? Optional.of(other) : Optional.empty(), random.nextLong(version + 1)));
        }
        return new PartitionMap(version, entries);
    }

    private static Bytes bytes(String hex) {
        return Bytes.wrap(HexFormat.of().parseHex(hex));
    }
}
