package io.taskmaster.server.partition.log;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Bytes and partition records. After one byte of format version come, as protobuf varints unless noted: epoch, owner (length and
 * UTF-8), nonce (16 bytes), checkpoint (epoch, sequence, ticket), last complete round, how many ended epochs, for each of them the
 * distance to the one before it and its last complete round, map version. The same record always has the same bytes.
 */
final class PartitionRecordCodec {

    private static final byte VERSION = 1;

    /** The kind of a row of the meta table, behind the partition. */
    private static final byte ROW_KIND = 'p';

    private PartitionRecordCodec() {}

    static CellKey key(int partition) {
        byte[] row = {(byte) (partition >> 8), (byte) partition, ROW_KIND};
        return new CellKey(Table.META, Bytes.wrap(row), 0);
    }

    static Bytes encode(PartitionRecord record) {
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
     * @throws CorruptLogException if this is no partition record of a known version
     */
    static PartitionRecord decode(int partition, Bytes value) {
        CodedInputStream in = CodedInputStream.newInstance(value.unsafeArray());
        try {
            byte version = in.readRawByte();
            if (version != VERSION) {
                throw new IOException("its format version " + version + " is not known");
            }
            PartitionRecord record = read(in);
            if (!in.isAtEnd()) {
                throw new IOException("there is more behind its end");
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
        out.writeUInt32NoTag(record.endedRounds().size());
        long before = 0;
        for (Map.Entry<Long, Long> ended : record.endedRounds().entrySet()) {
            out.writeUInt64NoTag(ended.getKey() - before);
            out.writeUInt64NoTag(ended.getValue());
            before = ended.getKey();
        }
        out.writeUInt64NoTag(record.mapVersion());
    }

    private static PartitionRecord read(CodedInputStream in) throws IOException {
        long epoch = in.readUInt64();
        String owner = in.readStringRequireUtf8();
        Nonce nonce = Nonce.read(ByteBuffer.wrap(in.readRawBytes(Nonce.BYTES)));
        Checkpoint checkpoint = new Checkpoint(in.readUInt64(), in.readUInt64(), in.readUInt64());
        long lastCompleteRound = in.readUInt64();
        int ended = in.readUInt32();
        NavigableMap<Long, Long> endedRounds = new TreeMap<>();
        long endedEpoch = 0;
        for (int i = 0; i < ended; i++) {
            endedEpoch += in.readUInt64();
            endedRounds.put(endedEpoch, in.readUInt64());
        }
        return new PartitionRecord(epoch, owner, nonce, checkpoint, lastCompleteRound, endedRounds, in.readUInt64());
    }
}
