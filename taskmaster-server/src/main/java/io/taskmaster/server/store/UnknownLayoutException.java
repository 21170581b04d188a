package io.taskmaster.server.store;

/**
 * A failure to open: the data folder was not written by TaskMaster, or in a layout that this version does not know.
 * Nothing in it was touched. The server exits with status 3. Immutable.
 */
public final class UnknownLayoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnknownLayoutException(String message) {
        super(message);
    }
}
