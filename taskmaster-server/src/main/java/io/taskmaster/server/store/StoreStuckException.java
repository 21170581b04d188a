package io.taskmaster.server.store;

/** A store that failed cannot even be closed, so this process cannot open it anew. The server exits with status 4. Immutable. */
public final class StoreStuckException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoreStuckException(String message, Throwable cause) {
        super(message, cause);
    }
}
