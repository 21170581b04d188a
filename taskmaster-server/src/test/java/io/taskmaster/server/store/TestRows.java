package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;

/** The rows of a partition that no other test uses. Immutable. */
public final class TestRows {

    private static final AtomicInteger NEXT_PARTITION = new AtomicInteger();

    private final int partition = NEXT_PARTITION.getAndIncrement();

    /** Returns the row of a text whose characters are all below 256. */
    Bytes row(String text) {
        return row(text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    }

    Bytes hex(String digits) {
        return row(HexFormat.of().parseHex(digits));
    }

    Bytes row(byte[] bytes) {
        ByteBuffer row = ByteBuffer.allocate(Store.PARTITION_PREFIX_BYTES + bytes.length);
        return Bytes.wrap(row.putShort((short) partition).put(bytes).array());
    }

    public CellKey cell(String row) {
        return cell(row, 0);
    }

    public CellKey cell(String row, int column) {
        return cell(Table.TASKS, row, column);
    }

    public CellKey cell(Table table, String row, int column) {
        return new CellKey(table, row(row), column);
    }

    RowRange range(String from, String to) {
        return range(Table.TASKS, from, to);
    }

    RowRange range(Table table, String from, String to) {
        return new RowRange(table, row(from), row(to));
    }

    /** Returns the range of all rows of the partition. */
    RowRange all(Table table) {
        byte[] next = ByteBuffer.allocate(Store.PARTITION_PREFIX_BYTES)
                .putShort((short) (partition + 1))
                .array();
        return new RowRange(table, row(""), Bytes.wrap(next));
    }

    /** Returns the first possible row after another. */
    static Bytes after(Bytes row) {
        return Bytes.wrap(Arrays.copyOf(row.toByteArray(), row.size() + 1));
    }
}
