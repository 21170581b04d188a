package io.taskmaster.archive;

import java.io.IOException;

/** What was read is not a whole archive. What came before the {@link #offset()} is as it was written. */
public final class ArchiveException extends IOException {

    private static final long serialVersionUID = 1L;

    /** What is wrong, and so what to do. */
    public enum Reason {
        /** Something else: look for the right file. */
        NOT_AN_ARCHIVE,
        /** Of a later version: read it with that. */
        UNKNOWN_VERSION,
        /** It ends too early: it was not written, or not copied, to its end. */
        CUT,
        /** Other bytes than were written, or not written by these rules: take another copy. */
        DAMAGED
    }

    private final Reason reason;
    private final long offset;

    ArchiveException(Reason reason, long offset, String what) {
        super("offset %d: %s".formatted(offset, what));
        this.reason = reason;
        this.offset = offset;
    }

    public Reason reason() {
        return reason;
    }

    /** How many bytes come before what is wrong: before the block, unless it is the head of the file or bytes behind its end. */
    public long offset() {
        return offset;
    }
}
