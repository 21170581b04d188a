package io.taskmaster.server.store;

/**
 * A failure to open: another store, of this process or of another one, holds the data folder. The server exits with
 * status 3. Immutable.
 */
public final class StoreInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoreInUseException(String message) {
        super(message);
    }
}
