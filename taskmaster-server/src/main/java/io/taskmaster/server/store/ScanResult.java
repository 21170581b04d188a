package io.taskmaster.server.store;

import java.util.List;

/**
 * The cells that a scan found. Immutable.
 *
 * @param cells in ascending order of row and column; rows are whole
 * @param complete true if the scan reached the end of the range: no cell follows the last one
 */
public record ScanResult(List<Cell> cells, boolean complete) {

    public ScanResult {
        cells = List.copyOf(cells);
    }
}
