package io.taskmaster.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.model.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The codec of partition maps. One byte of format version is followed by, as varints unless noted: the map version; the
 * number of nodes, and for each of them, in order, its id (length and UTF-8), its incarnation (8 bytes, big-endian) and
 * its address (length and UTF-8); the number of partitions, and for each of them the place of its owner and of the
 * owner before in the list of nodes, from 1 on (0: none), and by how much its version is below that of the map. A
 * varint has seven bits a byte, the lowest first; all bytes but the last have the highest bit set. The encoding is
 * deterministic: equal maps have equal bytes.
 */
public final class PartitionMapCodec {

    private static final byte VERSION = 1;
    private static final int NONE = 0;

    private PartitionMapCodec() {}

    public static Bytes encode(PartitionMap map) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(VERSION);
        writeVarint(map.version(), out);
        Map<NodeRef, Integer> places = new HashMap<>();
        writeVarint(map.nodes().size(), out);
        for (NodeRef node : map.nodes()) {
            places.put(node, places.size() + 1);
            writeText(node.id(), out);
            out.writeBytes(
                    ByteBuffer.allocate(Long.BYTES).putLong(node.incarnation()).array());
            writeText(node.address(), out);
        }
        writeVarint(map.size(), out);
        for (MapEntry entry : map.entries()) {
            writeVarint(entry.owner().map(places::get).orElse(NONE), out);
            writeVarint(entry.from().map(places::get).orElse(NONE), out);
            writeVarint(map.version() - entry.version(), out);
        }
        return Bytes.wrap(out.toByteArray());
    }

    /**
     * Decodes a map.
     *
     * @throws IllegalArgumentException if this is no partition map of a known format
     */
    public static PartitionMap decode(Bytes bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes.unsafeArray());
        try {
            byte format = in.get();
            if (format != VERSION) {
                throw new IllegalArgumentException(
                        "format of the partition map: %d (expected: %d)".formatted(format, VERSION));
            }
            PartitionMap map = readMap(in);
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(
                        "partition map: %d more bytes (expected: its end)".formatted(in.remaining()));
            }
            return map;
        } catch (BufferUnderflowException | CharacterCodingException broken) {
            throw new IllegalArgumentException("partition map: damaged (expected: whole, with names in UTF-8)", broken);
        }
    }

    private static PartitionMap readMap(ByteBuffer in) throws CharacterCodingException {
        long version = readVarint(in);
        int nodeCount = readCount(in);
        List<NodeRef> nodes = new ArrayList<>(nodeCount);
        for (int i = 0; i < nodeCount; i++) {
            nodes.add(new NodeRef(readText(in), in.getLong(), readText(in)));
        }
        int partitions = readCount(in);
        List<MapEntry> entries = new ArrayList<>(partitions);
        for (int i = 0; i < partitions; i++) {
            entries.add(new MapEntry(readNode(in, nodes), readNode(in, nodes), version - readVarint(in)));
        }
        PartitionMap map = new PartitionMap(version, entries);
        if (!nodes.equals(List.copyOf(map.nodes()))) {
            throw new IllegalArgumentException("nodes of the partition map: %s (expected: those of the entries, sorted)"
                    .formatted(nodes.stream().map(NodeRef::ownerName).toList()));
        }
        return map;
    }

    private static Optional<NodeRef> readNode(ByteBuffer in, List<NodeRef> nodes) {
        long place = readVarint(in);
        if (place < 0 || place > nodes.size()) {
            throw new IllegalArgumentException(
                    "node of a partition: %d (expected: at most %d)".formatted(place, nodes.size()));
        }
        return place == NONE ? Optional.empty() : Optional.of(nodes.get((int) place - 1));
    }

    /** Reads the number of things that take a byte each at least, so that a damaged number allocates nothing. */
    private static int readCount(ByteBuffer in) {
        long count = readVarint(in);
        if (count < 0 || count > in.remaining()) {
            throw new BufferUnderflowException();
        }
        return (int) count;
    }

    private static void writeText(String text, ByteArrayOutputStream out) {
        byte[] utf8 = text.getBytes(UTF_8);
        writeVarint(utf8.length, out);
        out.writeBytes(utf8);
    }

    private static String readText(ByteBuffer in) throws CharacterCodingException {
        byte[] utf8 = new byte[readCount(in)];
        in.get(utf8);
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    }

    private static void writeVarint(long value, ByteArrayOutputStream out) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    /** Reads a varint in its shortest form, the only one that is written. */
    private static long readVarint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = in.get();
            long bits = next & 0x7fL;
            value |= bits << shift;
            if (value >>> shift != bits || (next == 0 && shift > 0)) {
                break;
            }
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("varint: too long (expected: the shortest form of 64 bits)");
    }
}
