package io.taskmaster.testkit.history;

import java.io.IOException;

/** An exception for a malformed history file. The message names file and line. */
public final class HistoryFormatException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String file;
    private final long line;

    HistoryFormatException(String file, long line, String detail, Throwable cause) {
        super("%s:%d: %s".formatted(file, line, detail), cause);
        this.file = file;
        this.line = line;
    }

    HistoryFormatException(String file, long line, String detail) {
        super("%s:%d: %s".formatted(file, line, detail));
        this.file = file;
        this.line = line;
    }

    public String file() {
        return file;
    }

    /** Returns the number of the malformed line, from 1. */
    public long line() {
        return line;
    }
}
