package io.taskmaster.server.partition.log.ownership;

/**
 * A position between two rows of the log: every atom up to {@code ticket} is in a row before it, every later one in a
 * row from it on. Recovery starts here. Immutable.
 *
 * @param epoch the epoch of the first row that recovery reads
 * @param sequence the first row that recovery reads
 * @param ticket the ticket of the last atom before this position
 */
public record Checkpoint(long epoch, long sequence, long ticket) {

    /** The beginning of the log, of a partition that never had an owner. */
    public static final Checkpoint START = new Checkpoint(0, 0, 0);

    public Checkpoint {
        if (epoch < 0 || sequence < 0 || ticket < 0) {
            throw new IllegalArgumentException(
                    "checkpoint: %d|%d at ticket %d (expected: not negative)".formatted(epoch, sequence, ticket));
        }
    }

    /** Returns true if this checkpoint is in a later row than the other. */
    boolean isAfter(Checkpoint other) {
        return epoch != other.epoch ? epoch > other.epoch : sequence > other.sequence;
    }
}
