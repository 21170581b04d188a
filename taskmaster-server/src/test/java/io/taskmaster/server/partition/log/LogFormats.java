package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.format.AtomCodec;
import io.taskmaster.server.partition.log.LogRow.Fragment;
import io.taskmaster.server.store.CellKey;

/** What a simulated store knows of the bytes in it: enough to see who owns the partition, and to take rules back. */
public final class LogFormats {

    private LogFormats() {}

    /** Whether this is the cell that says who owns the partition. */
    public static boolean isRecord(int partition, CellKey key) {
        return key.equals(PartitionRecordCodec.key(partition));
    }

    /** The cell that says who owns a partition. */
    public static CellKey recordKey(int partition) {
        return PartitionRecordCodec.key(partition);
    }

    public static PartitionRecord record(int partition, Bytes value) {
        return PartitionRecordCodec.decode(partition, value);
    }

    /** A record with the checkpoint and the round of another, and all else its own. */
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

    /** The epoch of a log row. */
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

    /** Whether a log row holds nothing but whole atoms without effect. */
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
