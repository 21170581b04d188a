package io.taskmaster.server.store;

/**
 * A failure to close a broken store, so that this process cannot reopen it. The server exits with status 4. Immutable.
 */
public final class StoreStuckException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoreStuckException(String message, Throwable cause) {
        super(message, cause);
    }
}
