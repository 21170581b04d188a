package io.taskmaster.server.cluster;

import io.taskmaster.model.Bytes;
import io.taskmaster.placement.NodeRef;
import io.taskmaster.placement.PartitionLoad;
import io.taskmaster.server.bytes.ByteReader;
import io.taskmaster.server.bytes.ByteWriter;
import io.taskmaster.server.bytes.CorruptRecordException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The codec of load reports. One byte of format version is followed by, as varints unless noted: incarnation (8 bytes),
 * address (length and UTF-8), beat, the number of partitions, and for each of them its number, the share of busy time
 * (8 bytes, a double), the milliseconds for which it was measured, queues, and memory in bytes. The id of the node is
 * in the key.
 */
final class LoadCodec {

    private static final int VERSION = 1;
    private static final int BYTES_PER_PARTITION = 24;

    private LoadCodec() {}

    static Bytes encode(LoadReport report) {
        ByteWriter out = new ByteWriter(
                        64 + BYTES_PER_PARTITION * report.loads().size())
                .octet(VERSION)
                .ordered(report.node().incarnation())
                .sized(report.node().address())
                .varint(report.beat())
                .varint(report.loads().size());
        for (PartitionLoad load : report.loads()) {
            out.varint(load.partition())
                    .ordered(Double.doubleToLongBits(load.busy()))
                    .varint(load.measuredFor().toMillis())
                    .varint(load.queues())
                    .varint(load.memoryBytes());
        }
        return Bytes.wrap(out.finish());
    }

    /**
     * Decodes a report.
     *
     * @throws CorruptRecordException if this is no report of a known format
     */
    static LoadReport decode(String nodeId, Bytes value) {
        ByteReader in = new ByteReader(value.unsafeArray());
        in.version(VERSION);
        try {
            NodeRef node = new NodeRef(nodeId, in.ordered(), in.text());
            long beat = in.varint();
            int count = in.count();
            List<PartitionLoad> loads = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                loads.add(new PartitionLoad(
                        in.varint32(),
                        node,
                        Double.longBitsToDouble(in.ordered()),
                        Duration.ofMillis(in.varint()),
                        in.varint(),
                        in.varint()));
            }
            in.end();
            return new LoadReport(node, beat, loads);
        } catch (IllegalArgumentException broken) {
            throw new CorruptRecordException("loads of node %s: %s".formatted(nodeId, broken.getMessage()), broken);
        }
    }
}
