package io.taskmaster.proxy.program;

import org.jspecify.annotations.Nullable;

/** A failure to start a node, with the exit status that tells scripts why. Immutable. */
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
