package io.taskmaster.server.partition.claim;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.UnknownLayoutException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * The codec of claims. One byte of format version is followed by, as protobuf varints unless noted: number, node id
 * (length and UTF-8), nonce (16 bytes), beat, its time in milliseconds since 1970, and 1 if the claim was released,
 * otherwise 0. The claim is one cell, in the rows of partition 0.
 */
final class ClaimCodec {

    private static final byte VERSION = 1;
    private static final byte ROW_KIND = 'n';

    private ClaimCodec() {}

    static CellKey key() {
        byte[] row = new byte[Store.PARTITION_PREFIX_BYTES + 1];
        row[Store.PARTITION_PREFIX_BYTES] = ROW_KIND;
        return new CellKey(Table.META, Bytes.wrap(row), 0);
    }

    static Bytes encode(ClaimRecord claim) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        ByteBuffer nonce = ByteBuffer.allocate(Nonce.BYTES);
        claim.nonce().write(nonce);
        try {
            out.writeRawByte(VERSION);
            out.writeUInt64NoTag(claim.number());
            out.writeStringNoTag(claim.nodeId());
            out.writeRawBytes(nonce.flip());
            out.writeUInt64NoTag(claim.beat());
            out.writeUInt64NoTag(claim.beatMillis());
            out.writeBoolNoTag(claim.released());
            out.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Bytes.wrap(bytes.toByteArray());
    }

    /**
     * Decodes a claim.
     *
     * @throws UnknownLayoutException if this is no claim of a known version
     */
    static ClaimRecord decode(Bytes value) {
        CodedInputStream in = CodedInputStream.newInstance(value.unsafeArray());
        try {
            byte version = in.readRawByte();
            if (version != VERSION) {
                throw new UnknownLayoutException("claim: format version " + version + " (expected: " + VERSION + ")");
            }
            return new ClaimRecord(
                    in.readUInt64(),
                    in.readStringRequireUtf8(),
                    Nonce.read(ByteBuffer.wrap(in.readRawBytes(Nonce.BYTES))),
                    in.readUInt64(),
                    in.readUInt64(),
                    in.readBool());
        } catch (IOException | IllegalArgumentException broken) {
            throw new UnknownLayoutException("claim: unreadable: " + broken.getMessage());
        }
    }
}
