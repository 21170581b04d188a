package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;
import java.util.Comparator;

/**
 * The address of one cell. Ordered by table, row (unsigned bytes), column. Immutable.
 *
 * @param column from 0 to 255
 */
public record CellKey(Table table, Bytes row, int column) implements Comparable<CellKey> {

    private static final Comparator<CellKey> ORDER =
            Comparator.comparing(CellKey::table).thenComparing(CellKey::row).thenComparingInt(CellKey::column);

    public CellKey {
        if (column < 0 || column > 255) {
            throw new IllegalArgumentException("column: " + column + " (expected: 0 to 255)");
        }
    }

    @Override
    public int compareTo(CellKey other) {
        return ORDER.compare(this, other);
    }
}
