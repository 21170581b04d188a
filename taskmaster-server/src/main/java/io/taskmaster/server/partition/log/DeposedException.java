package io.taskmaster.server.partition.log;

/** The partition has another owner by now. Whoever gets this stops: nothing that it still tries can take effect. */
public final class DeposedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DeposedException(String message) {
        super(message);
    }
}
