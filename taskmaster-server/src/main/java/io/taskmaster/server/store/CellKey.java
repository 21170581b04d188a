package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;

/**
 * The address of one cell. Ordered by table, row (unsigned bytes), column. Immutable.
 *
 * @param column from 0 to 255
 */
public record CellKey(Table table, Bytes row, int column) {

    public CellKey {
        if (column < 0 || column > 255) {
            throw new IllegalArgumentException("column: " + column + " (expected: 0 to 255)");
        }
    }
}
