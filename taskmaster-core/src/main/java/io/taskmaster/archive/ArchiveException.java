package io.taskmaster.archive;

import java.io.IOException;

/** The error of an input that is not a whole archive. The entries before {@link #offset()} are as they were written. */
public final class ArchiveException extends IOException {

    private static final long serialVersionUID = 1L;

    /** The reason, which determines the reaction. */
    public enum Reason {
        /** Not an archive: find the right file. */
        NOT_AN_ARCHIVE,
        /** A later version: read it with that version. */
        UNKNOWN_VERSION,
        /** Truncated: it was not written, or not copied, to its end. */
        CUT,
        /** Corrupt, or not written by the rules of the format: use another copy. */
        DAMAGED
    }

    private final Reason reason;
    private final long offset;

    ArchiveException(Reason reason, long offset, String detail) {
        super("offset %d: %s".formatted(offset, detail));
        this.reason = reason;
        this.offset = offset;
    }

    /** The reason. */
    public Reason reason() {
        return reason;
    }

    /**
     * The number of bytes before the problem: before the corrupt block, unless the problem is the head of the file or
     * bytes behind its end.
     */
    public long offset() {
        return offset;
    }
}
