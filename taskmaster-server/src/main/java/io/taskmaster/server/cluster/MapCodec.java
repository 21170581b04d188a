package io.taskmaster.server.cluster;

import io.taskmaster.model.Bytes;
import io.taskmaster.placement.PartitionMap;
import io.taskmaster.placement.PartitionMapCodec;
import io.taskmaster.server.bytes.ByteReader;
import io.taskmaster.server.bytes.ByteWriter;
import io.taskmaster.server.bytes.CorruptRecordException;

/**
 * The codec of the map's head and bodies. A head is one byte of format version, the map version as a varint, the
 * checksum of the body (4 bytes, big-endian), and the format level as a varint. A body is what
 * {@link PartitionMapCodec} writes, which begins with a byte of format version too. Both encodings are deterministic:
 * equal heads have equal bytes, which compare-and-set relies on.
 */
final class MapCodec {

    private static final int HEAD_VERSION = 1;
    private static final int BODY_VERSION = 1;

    private MapCodec() {}

    static Bytes encodeHead(MapHead head) {
        return Bytes.wrap(new ByteWriter(16)
                .octet(HEAD_VERSION)
                .varint(head.version())
                .octet(head.checksum() >>> 24)
                .octet(head.checksum() >>> 16)
                .octet(head.checksum() >>> 8)
                .octet(head.checksum())
                .varint(head.formatLevel())
                .finish());
    }

    /**
     * Decodes a head.
     *
     * @throws CorruptRecordException if this is no head of a known format
     */
    static MapHead decodeHead(Bytes value) {
        ByteReader in = new ByteReader(value.unsafeArray());
        in.version(HEAD_VERSION);
        try {
            long version = in.varint();
            int checksum = in.octet() << 24 | in.octet() << 16 | in.octet() << 8 | in.octet();
            MapHead head = new MapHead(version, checksum, in.varint32());
            in.end();
            return head;
        } catch (IllegalArgumentException broken) {
            throw new CorruptRecordException(String.valueOf(broken.getMessage()), broken);
        }
    }

    static Bytes encodeBody(PartitionMap map) {
        return PartitionMapCodec.encode(map);
    }

    /**
     * Decodes a body.
     *
     * @throws CorruptRecordException if this is no body of a known format
     */
    static PartitionMap decodeBody(Bytes value) {
        new ByteReader(value.unsafeArray()).version(BODY_VERSION);
        try {
            return PartitionMapCodec.decode(value);
        } catch (IllegalArgumentException broken) {
            throw new CorruptRecordException(String.valueOf(broken.getMessage()), broken);
        }
    }
}
