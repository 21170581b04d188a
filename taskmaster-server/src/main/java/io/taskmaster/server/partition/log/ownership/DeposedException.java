package io.taskmaster.server.partition.log.ownership;

/**
 * A failure because the partition has another owner by now. The owner that gets it must stop: no later write of its
 * epoch can take effect.
 */
public final class DeposedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DeposedException(String message) {
        super(message);
    }
}
