package io.taskmaster.server.cluster;

import io.taskmaster.model.Bytes;
import io.taskmaster.placement.ClusterMember.State;
import io.taskmaster.placement.NodeCapacity;
import io.taskmaster.placement.NodeRef;
import io.taskmaster.server.bytes.ByteReader;
import io.taskmaster.server.bytes.ByteWriter;
import io.taskmaster.server.bytes.CorruptRecordException;
import java.util.List;

/**
 * The codec of members. One byte of format version is followed by, as varints unless noted: incarnation (8 bytes),
 * address and HTTP address (length and UTF-8 each), state (1 byte: 0 joining, 1 serving, 2 leaving, 3 stopped), beat,
 * lowest and highest format level, program version (length and UTF-8), and the capacity: load (8 bytes, a double),
 * queues, memory in bytes. The id of the node is in the key.
 */
final class MemberCodec {

    private static final int VERSION = 1;

    /** The states by their numbers in the format. */
    private static final List<State> STATES = List.of(State.JOINING, State.SERVING, State.LEAVING, State.STOPPED);

    private MemberCodec() {}

    static Bytes encode(MemberRecord member) {
        MemberProfile profile = member.profile();
        NodeCapacity capacity = profile.capacity();
        return Bytes.wrap(new ByteWriter(128)
                .octet(VERSION)
                .ordered(profile.node().incarnation())
                .sized(profile.node().address())
                .sized(profile.httpAddress())
                .octet(STATES.indexOf(member.state()))
                .varint(member.beat())
                .varint(profile.formats().lowest())
                .varint(profile.formats().highest())
                .sized(profile.programVersion())
                .ordered(Double.doubleToLongBits(capacity.load()))
                .varint(capacity.queues())
                .varint(capacity.memoryBytes())
                .finish());
    }

    /**
     * Decodes a member.
     *
     * @throws CorruptRecordException if this is no member of a known format
     */
    static MemberRecord decode(String nodeId, Bytes value) {
        ByteReader in = new ByteReader(value.unsafeArray());
        in.version(VERSION);
        try {
            NodeRef node = new NodeRef(nodeId, in.ordered(), in.text());
            String httpAddress = in.text();
            State state = state(in.octet());
            long beat = in.varint();
            FormatLevels formats = new FormatLevels(in.varint32(), in.varint32());
            String programVersion = in.text();
            NodeCapacity capacity = new NodeCapacity(Double.longBitsToDouble(in.ordered()), in.varint(), in.varint());
            in.end();
            return new MemberRecord(
                    new MemberProfile(node, httpAddress, formats, programVersion, capacity), state, beat);
        } catch (IllegalArgumentException broken) {
            throw new CorruptRecordException("member %s: %s".formatted(nodeId, broken.getMessage()), broken);
        }
    }

    private static State state(int number) {
        if (number >= STATES.size()) {
            throw new CorruptRecordException(
                    "state of a member: %d (expected: less than %d)".formatted(number, STATES.size()));
        }
        return STATES.get(number);
    }
}
