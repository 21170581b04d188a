package io.taskmaster.server;

import org.jspecify.annotations.Nullable;

/** A node that cannot start, and the exit status that says why to scripts. */
public final class StartException extends Exception {

    private static final long serialVersionUID = 1L;

    private final ExitStatus status;

    public StartException(ExitStatus status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    public ExitStatus status() {
        return status;
    }
}
