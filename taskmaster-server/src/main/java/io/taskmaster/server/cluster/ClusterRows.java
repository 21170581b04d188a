package io.taskmaster.server.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.bytes.ByteWriter;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;
import java.util.Arrays;

/**
 * The keys of the cluster's cells, in the rows of partition 0.
 *
 * <pre>
 *   00 00 'm'              head of the map          compare-and-set, by the controller
 *   00 00 'M' version      body of a map            put if absent, by the controller; immutable
 *   00 00 'N' node id      member                   compare-and-set, by that node
 *   00 00 'L' node id      loads of a member        put, by that node
 * </pre>
 *
 * <p>A version has 8 bytes, big-endian, so that the bodies are in the order of their versions.
 */
final class ClusterRows {

    private static final int HEAD = 'm';
    private static final int BODY = 'M';
    private static final int MEMBER = 'N';
    private static final int LOAD = 'L';

    /** The length of a row's prefix: the partition and the kind. */
    private static final int PREFIX_BYTES = Store.PARTITION_PREFIX_BYTES + 1;

    private ClusterRows() {}

    static CellKey mapHead() {
        return cell(prefix(HEAD));
    }

    static CellKey mapBody(long version) {
        return cell(prefix(BODY).ordered(version));
    }

    /** Returns the rows of the bodies with versions from {@code from} (inclusive) to {@code to} (exclusive). */
    static RowRange mapBodies(long from, long to) {
        return new RowRange(Table.META, mapBody(from).row(), mapBody(to).row());
    }

    static CellKey member(String nodeId) {
        return cell(prefix(MEMBER).raw(nodeId.getBytes(UTF_8)));
    }

    static RowRange members() {
        return kind(MEMBER);
    }

    static CellKey load(String nodeId) {
        return cell(prefix(LOAD).raw(nodeId.getBytes(UTF_8)));
    }

    static RowRange loads() {
        return kind(LOAD);
    }

    /** Returns the id of the node whose cell, of a member or of loads, has this key. */
    static String nodeId(CellKey key) {
        byte[] row = key.row().unsafeArray();
        return new String(Arrays.copyOfRange(row, PREFIX_BYTES, row.length), UTF_8);
    }

    private static RowRange kind(int kind) {
        return new RowRange(Table.META, row(prefix(kind)), row(prefix(kind + 1)));
    }

    private static ByteWriter prefix(int kind) {
        return new ByteWriter(32).octet(0).octet(0).octet(kind);
    }

    private static CellKey cell(ByteWriter row) {
        return new CellKey(Table.META, row(row), 0);
    }

    private static Bytes row(ByteWriter row) {
        return Bytes.wrap(row.finish());
    }
}
