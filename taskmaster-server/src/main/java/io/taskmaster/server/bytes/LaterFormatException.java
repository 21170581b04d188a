package io.taskmaster.server.bytes;

/**
 * The error of stored bytes in a format that only a later version of TaskMaster knows: nothing is damaged, but this
 * version cannot read them. The cause of the exception of the record. Immutable.
 */
public final class LaterFormatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the error of a record.
     *
     * @param version its format version
     * @param newest the newest format that this version of TaskMaster reads
     */
    public LaterFormatException(int version, int newest) {
        super(
                "format %d, written by a later version of TaskMaster (expected: at most format %d; start the later version, or restore the data from a copy)"
                        .formatted(version, newest));
    }
}
