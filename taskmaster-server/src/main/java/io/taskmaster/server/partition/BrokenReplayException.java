package io.taskmaster.server.partition;

/**
 * A failure of the engine to apply an intact atom of the log. If it happens again at the same ticket, the log itself is
 * wrong; if it does not, only that attempt was. Immutable.
 */
final class BrokenReplayException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long ticket;

    BrokenReplayException(int partition, long ticket, RuntimeException cause) {
        super("the log of partition %d cannot be replayed: ticket %d: %s".formatted(partition, ticket, cause), cause);
        this.ticket = ticket;
    }

    /** The ticket of the atom; positive. */
    long ticket() {
        return ticket;
    }
}
