package io.taskmaster.server.partition.log.ownership;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.bytes.LaterFormatException;
import io.taskmaster.server.partition.log.ownership.PartitionRecord.Stage;
import io.taskmaster.server.partition.log.row.CorruptLogException;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The codec of partition records. One byte of format version is followed by, as protobuf varints unless noted: epoch,
 * owner (length and UTF-8), nonce (16 bytes), checkpoint (epoch, sequence, ticket), last complete round, the number of
 * listed epochs, for each of them the distance to the one before it and its last complete round, map version; since
 * version 2 also the stage (0 open, 1 closed, 2 scrubbing), the epoch from which on epochs that are not listed count as
 * a whole, and the epoch up to which the log is swept. The encoding is deterministic: equal records have equal bytes,
 * which compare-and-set relies on.
 *
 * <p>In version 1 every ended epoch that had completed a round was listed, and no other counted.
 */
public final class PartitionRecordCodec {

    private static final byte VERSION = 2;
    private static final byte NAMES_ALL_ENDED = 1;

    /** The stages by their numbers in the format. */
    private static final List<Stage> STAGES = List.of(Stage.OPEN, Stage.CLOSED, Stage.SCRUBBING);

    /** The kind of the row in the meta table, behind the partition. */
    private static final byte ROW_KIND = 'p';

    private PartitionRecordCodec() {}

    public static CellKey key(int partition) {
        byte[] row = {(byte) (partition >> 8), (byte) partition, ROW_KIND};
        return new CellKey(Table.META, Bytes.wrap(row), 0);
    }

    public static Bytes encode(PartitionRecord record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            write(record, out);
            out.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Bytes.wrap(bytes.toByteArray());
    }

    /**
     * Decodes a record.
     *
     * @throws CorruptLogException if this is no partition record of a known version
     */
    public static PartitionRecord decode(int partition, Bytes value) {
        CodedInputStream in = CodedInputStream.newInstance(value.unsafeArray());
        try {
            byte version = in.readRawByte();
            if (version > VERSION) {
                var later = new LaterFormatException(version, VERSION);
                throw new CorruptLogException(
                        "the record of partition %d: %s".formatted(partition, later.getMessage()), later);
            }
            if (version != VERSION && version != NAMES_ALL_ENDED) {
                throw new IOException("its format version " + version + " is not known");
            }
            PartitionRecord record = read(in, version);
            if (!in.isAtEnd()) {
                throw new IOException("it has unexpected bytes at its end");
            }
            return record;
        } catch (IOException | IllegalArgumentException broken) {
            throw new CorruptLogException(
                    "the record of partition %d is corrupt: %s".formatted(partition, broken.getMessage()), broken);
        }
    }

    private static void write(PartitionRecord record, CodedOutputStream out) throws IOException {
        out.writeRawByte(VERSION);
        out.writeUInt64NoTag(record.epoch());
        out.writeStringNoTag(record.owner());
        ByteBuffer nonce = ByteBuffer.allocate(Nonce.BYTES);
        record.nonce().write(nonce);
        out.writeRawBytes(nonce.flip());
        Checkpoint checkpoint = record.checkpoint();
        out.writeUInt64NoTag(checkpoint.epoch());
        out.writeUInt64NoTag(checkpoint.sequence());
        out.writeUInt64NoTag(checkpoint.ticket());
        out.writeUInt64NoTag(record.lastCompleteRound());
        NavigableMap<Long, Long> unclean = record.endedRounds().unclean();
        out.writeUInt32NoTag(unclean.size());
        long before = 0;
        for (Map.Entry<Long, Long> ended : unclean.entrySet()) {
            out.writeUInt64NoTag(ended.getKey() - before);
            out.writeUInt64NoTag(ended.getValue());
            before = ended.getKey();
        }
        out.writeUInt64NoTag(record.mapVersion());
        out.writeUInt32NoTag(STAGES.indexOf(record.stage()));
        out.writeUInt64NoTag(record.endedRounds().completeFrom());
        out.writeUInt64NoTag(record.sweptTo());
    }

    private static PartitionRecord read(CodedInputStream in, byte version) throws IOException {
        long epoch = in.readUInt64();
        String owner = in.readStringRequireUtf8();
        Nonce nonce = Nonce.read(ByteBuffer.wrap(in.readRawBytes(Nonce.BYTES)));
        Checkpoint checkpoint = new Checkpoint(in.readUInt64(), in.readUInt64(), in.readUInt64());
        long lastCompleteRound = in.readUInt64();
        int named = in.readUInt32();
        NavigableMap<Long, Long> unclean = new TreeMap<>();
        long endedEpoch = 0;
        for (int i = 0; i < named; i++) {
            endedEpoch += in.readUInt64();
            unclean.put(endedEpoch, in.readUInt64());
        }
        long mapVersion = in.readUInt64();
        boolean namesAll = version == NAMES_ALL_ENDED;
        Stage stage = namesAll ? Stage.OPEN : stage(in.readUInt32());
        EndedRounds ended = new EndedRounds(namesAll ? Math.max(1, epoch) : in.readUInt64(), unclean);
        long sweptTo = namesAll ? 1 : in.readUInt64();
        return new PartitionRecord(
                epoch, owner, nonce, stage, checkpoint, lastCompleteRound, ended, sweptTo, mapVersion);
    }

    private static Stage stage(int number) throws IOException {
        if (number < 0 || number >= STAGES.size()) {
            throw new IOException("its stage " + number + " is not known");
        }
        return STAGES.get(number);
    }
}
