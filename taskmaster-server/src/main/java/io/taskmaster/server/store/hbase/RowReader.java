package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.Table;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;

/**
 * The decoder of a row that HBase returned: it joins the pieces of values into store cells ({@link HBaseColumns}).
 * Single-threaded: used once.
 *
 * <p>The cells of the row come in the order of their qualifiers, so the pieces of a value follow each other.
 *
 * <pre>{@code
 * state   | event                                | next    | effect
 * --------+--------------------------------------+---------+------------------------------------
 * whole   | first piece, shorter than a piece    | whole   | the cell is complete
 * whole   | first piece, of full size            | joining | the next piece is expected
 * joining | the expected piece, of full size     | joining | the piece after it is expected
 * joining | the expected piece, shorter          | whole   | the cell is complete
 * any     | another piece, left by a larger value| same    | ignored
 * joining | first piece of a column, or the end  | failed  | corrupt: a piece is missing
 * }</pre>
 */
final class RowReader {

    private final Table table;
    private final Bytes row;
    private final List<Cell> cells = new ArrayList<>(3);
    private final ByteArrayOutputStream pieces = new ByteArrayOutputStream(0);

    /** The column of the cell whose pieces are being joined. */
    private int column = -1;

    private int nextPiece;
    private long timestamp;

    private RowReader(Table table, Bytes row) {
        this.table = table;
        this.row = row;
    }

    /** Returns the cells of a row in the order of their columns; none if the row does not exist. */
    static List<Cell> read(Table table, Result result) {
        org.apache.hadoop.hbase.Cell[] raw = result.rawCells();
        if (raw == null || raw.length == 0) {
            return List.of();
        }
        RowReader reader = new RowReader(table, Bytes.wrap(result.getRow()));
        for (org.apache.hadoop.hbase.Cell cell : raw) {
            reader.add(cell);
        }
        reader.requireComplete();
        return reader.cells;
    }

    private void add(org.apache.hadoop.hbase.Cell cell) {
        byte[] qualifier = CellUtil.cloneQualifier(cell);
        byte[] value = CellUtil.cloneValue(cell);
        int piece = qualifier.length == 2 ? qualifier[1] : 0;
        if (qualifier.length == 0 || qualifier.length > 2 || (qualifier.length == 2 && piece < 1)) {
            throw corrupt("a qualifier of " + qualifier.length + " bytes, which TaskMaster did not write");
        }
        if (piece == 0) {
            requireComplete();
            begin(qualifier[0] & 0xff, cell.getTimestamp(), value);
        } else if (isNext(qualifier[0] & 0xff, piece, cell.getTimestamp())) {
            append(value);
        }
    }

    private void begin(int newColumn, long newTimestamp, byte[] value) {
        column = newColumn;
        timestamp = newTimestamp;
        if (value.length < HBaseColumns.PIECE_BYTES) {
            emit(value);
        } else {
            // A full piece is never the last: a value of just that size ends with an empty one.
            nextPiece = 1;
            pieces.writeBytes(value);
        }
    }

    /**
     * Returns whether a piece continues the current value. Any other piece was left behind by a larger, older value.
     */
    private boolean isNext(int ofColumn, int piece, long pieceTimestamp) {
        return nextPiece > 0 && ofColumn == column && piece == nextPiece && pieceTimestamp == timestamp;
    }

    private void append(byte[] value) {
        pieces.writeBytes(value);
        if (value.length < HBaseColumns.PIECE_BYTES) {
            emit(pieces.toByteArray());
            pieces.reset();
            nextPiece = 0;
        } else {
            nextPiece++;
        }
    }

    private void emit(byte[] value) {
        byte[] content = timestamp == Unstamped.TIMESTAMP ? Unstamped.decode(value) : value;
        cells.add(new Cell(new CellKey(table, row, column), stamp(), Bytes.wrap(content)));
    }

    private Stamp stamp() {
        try {
            return Timestamps.stampOf(timestamp);
        } catch (IllegalArgumentException foreign) {
            throw corrupt("timestamp " + timestamp + ", which TaskMaster did not write");
        }
    }

    private void requireComplete() {
        if (nextPiece > 0) {
            throw corrupt("piece " + nextPiece + " of a large value is missing");
        }
    }

    private StoreException corrupt(String reason) {
        return new StoreException(Outcome.CORRUPT, "table %s, row %s: %s".formatted(table, row, reason), null);
    }
}
