package io.taskmaster.server.store;

/** The data folder is held by another store, of this process or of another one. The server exits with status 3. Immutable. */
public final class StoreInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoreInUseException(String message) {
        super(message);
    }
}
