package io.taskmaster.server.partition.log;

import static io.taskmaster.server.Golden.golden;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.ownership.Checkpoint;
import io.taskmaster.server.partition.log.ownership.EndedRounds;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.partition.log.ownership.PartitionRecord.Stage;
import io.taskmaster.server.partition.log.ownership.PartitionRecordCodec;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogRow;
import io.taskmaster.server.partition.log.row.LogRowCodec;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.partition.log.row.RowBuffer;
import io.taskmaster.server.store.Stamp;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Tests of the stored formats against golden files: old bytes stay readable, and equal values are written as equal
 * bytes.
 */
final class GoldenTest {

    private static final Nonce NONCE = new Nonce(0x0011223344556677L, 0x8899aabbccddeeffL);
    private static final LogKey KEY = new LogKey(258, 3, 70_000);

    @Test
    void rowOfAtomsKeepsItsFormat() {
        RowBuffer row = new RowBuffer(NONCE, 200);
        row.add(41, new byte[] {1, 2, 3, 4}, 2, 2);
        row.add(42, new byte[0], 0, 0);
        row.add(1L << 40, "whole".getBytes(UTF_8), 0, 5);
        row.add((1L << 40) + 1, "to be continued".getBytes(UTF_8), 0, 5);

        assertThat(row.seal(KEY)).isEqualTo(golden("log-row-atoms"));
        assertThat(LogRowCodec.decode(KEY, golden("log-row-atoms")))
                .isEqualTo(new LogRow.Atoms(
                        NONCE,
                        List.of(
                                new LogRow.Fragment(41, false, true, Bytes.wrap(new byte[] {3, 4})),
                                new LogRow.Fragment(42, true, true, Bytes.EMPTY),
                                new LogRow.Fragment(1L << 40, true, true, Bytes.of("whole")),
                                new LogRow.Fragment((1L << 40) + 1, true, false, Bytes.of("to be")))));
    }

    @Test
    void fenceKeepsItsFormat() {
        assertThat(LogRowCodec.fence(KEY, NONCE)).isEqualTo(golden("log-row-fence"));
        assertThat(LogRowCodec.decode(KEY, golden("log-row-fence"))).isEqualTo(new LogRow.Fence(NONCE));
    }

    @Test
    void logKeyKeepsItsFormat() {
        assertThat(KEY.row()).isEqualTo(golden("log-key"));
        assertThat(LogKey.of(golden("log-key"))).isEqualTo(KEY);
    }

    @Test
    void partitionRecordKeepsItsFormat() {
        PartitionRecord record = new PartitionRecord(
                9,
                "node-ä",
                NONCE,
                Stage.SCRUBBING,
                new Checkpoint(7, 300, 1L << 33),
                1,
                new EndedRounds(3, new TreeMap<>(Map.of(2L, 1L, 3L, 0L, 8L, 5_000_000_000L))),
                5,
                6);

        assertThat(PartitionRecordCodec.encode(record)).isEqualTo(golden("partition-record"));
        assertThat(PartitionRecordCodec.decode(258, golden("partition-record"))).isEqualTo(record);
    }

    /** Verifies that a record which lists every ended epoch with a complete round counts no other epoch. */
    @Test
    void partitionRecordOfTheFirstVersionIsRead() {
        PartitionRecord read = PartitionRecordCodec.decode(258, golden("v1/partition-record"));

        assertThat(read)
                .isEqualTo(new PartitionRecord(
                        9,
                        "node-ä",
                        NONCE,
                        Stage.OPEN,
                        new Checkpoint(7, 300, 1L << 33),
                        12,
                        new EndedRounds(9, new TreeMap<>(Map.of(2L, 1L, 3L, 200L, 8L, 5_000_000_000L))),
                        1,
                        6));
        assertThat(read.believes(new Stamp(3, 200))).isTrue();
        assertThat(read.believes(new Stamp(3, 201))).isFalse();
        assertThat(read.believes(new Stamp(7, 1))).isFalse();
    }

    @Test
    void partitionRecordKeepsItsPlace() {
        assertThat(PartitionRecordCodec.key(258).row()).isEqualTo(golden("partition-record-key"));
    }
}
