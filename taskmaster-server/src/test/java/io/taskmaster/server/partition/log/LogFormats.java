package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.format.AtomCodec;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.partition.log.ownership.PartitionRecordCodec;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogRow;
import io.taskmaster.server.partition.log.row.LogRow.Fragment;
import io.taskmaster.server.partition.log.row.LogRowCodec;
import io.taskmaster.server.store.CellKey;

/**
 * Access to the formats of log and record for a simulated store: enough to see the owner of a partition, and to disable
 * rules.
 */
public final class LogFormats {

    private LogFormats() {}

    /** Returns true if this is the cell of the partition record. */
    public static boolean isRecord(int partition, CellKey key) {
        return key.equals(PartitionRecordCodec.key(partition));
    }

    /** Returns the key of the cell of the partition record. */
    public static CellKey recordKey(int partition) {
        return PartitionRecordCodec.key(partition);
    }

    public static PartitionRecord record(int partition, Bytes value) {
        return PartitionRecordCodec.decode(partition, value);
    }

    /** Returns a record with the checkpoint and the round of another, and everything else its own. */
    public static Bytes withCheckpointOf(PartitionRecord record, PartitionRecord other) {
        return PartitionRecordCodec.encode(new PartitionRecord(
                record.epoch(),
                record.owner(),
                record.nonce(),
                record.stage(),
                other.checkpoint(),
                other.lastCompleteRound(),
                record.endedRounds(),
                record.sweptTo(),
                record.mapVersion()));
    }

    /** Returns the epoch of a log row. */
    public static long epochOf(CellKey key) {
        return LogKey.of(key.row()).epoch();
    }

    public static String describe(CellKey key) {
        LogKey row = LogKey.of(key.row());
        return row.epoch() + "|" + row.sequence();
    }

    public static boolean isFence(CellKey key, Bytes row) {
        return LogRowCodec.decode(LogKey.of(key.row()), row) instanceof LogRow.Fence;
    }

    /** Returns true if a log row holds only whole atoms without effect. */
    public static boolean changesNothing(CellKey key, Bytes row) {
        return LogRowCodec.decode(LogKey.of(key.row()), row) instanceof LogRow.Atoms atoms
                && atoms.fragments().stream().allMatch(LogFormats::changesNothing);
    }

    private static boolean changesNothing(Fragment fragment) {
        return fragment.first()
                && fragment.last()
                && AtomCodec.decode(fragment.ticket(), fragment.bytes())
                        .queues()
                        .isEmpty();
    }
}
