package io.taskmaster.server.partition.log.row;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Table;
import java.nio.ByteBuffer;

/**
 * The key of a log row: {@code partition | epoch | sequence}, big-endian, so that keys sort in the order of the log.
 * Immutable.
 */
public record LogKey(int partition, long epoch, long sequence) {

    private static final int BYTES = Short.BYTES + Long.BYTES + Long.BYTES;

    public static LogKey of(Bytes row) {
        if (row.size() != BYTES) {
            throw new CorruptLogException("log key of %d bytes (expected: %d)".formatted(row.size(), BYTES));
        }
        ByteBuffer in = ByteBuffer.wrap(row.unsafeArray());
        return new LogKey(Short.toUnsignedInt(in.getShort()), in.getLong(), in.getLong());
    }

    /** Returns the first key of an epoch. */
    public static LogKey startOf(int partition, long epoch) {
        return new LogKey(partition, epoch, 0);
    }

    public LogKey next() {
        return new LogKey(partition, epoch, sequence + 1);
    }

    public Bytes row() {
        return Bytes.wrap(ByteBuffer.allocate(BYTES)
                .putShort((short) partition)
                .putLong(epoch)
                .putLong(sequence)
                .array());
    }

    public CellKey cell() {
        return new CellKey(Table.LOG, row(), 0);
    }

    /** Returns the range of rows from this one (inclusive) to the other (exclusive). */
    public RowRange until(LogKey end) {
        return new RowRange(Table.LOG, row(), end.row());
    }

    @Override
    public String toString() {
        return "log row %d|%d|%d".formatted(partition, epoch, sequence);
    }
}
