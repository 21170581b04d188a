package io.taskmaster.server.store;

/**
 * The bounds at which a scan stops: {@code rows} rows, or about {@code bytes} bytes of keys and values. A scan returns
 * at least one row. Immutable.
 */
public record ScanLimit(int rows, long bytes) {

    public ScanLimit {
        if (rows < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "scan limit: " + rows + " rows, " + bytes + " bytes (expected: at least 1)");
        }
    }
}
