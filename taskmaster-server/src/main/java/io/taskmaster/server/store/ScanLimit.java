package io.taskmaster.server.store;

/** Where a scan stops: after {@code rows} rows or about {@code bytes} bytes of keys and values; at least one row comes. Immutable. */
public record ScanLimit(int rows, long bytes) {

    public ScanLimit {
        if (rows < 1 || bytes < 1) {
            throw new IllegalArgumentException(
                    "scan limit: " + rows + " rows, " + bytes + " bytes (expected: at least 1)");
        }
    }
}
