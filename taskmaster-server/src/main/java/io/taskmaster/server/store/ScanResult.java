package io.taskmaster.server.store;

import java.util.List;

/**
 * What a scan found.
 *
 * @param cells in ascending order of row and column; no row is cut in two
 * @param complete true if the end of the range was reached: there is nothing behind the last cell
 */
public record ScanResult(List<Cell> cells, boolean complete) {

    public ScanResult {
        cells = List.copyOf(cells);
    }
}
