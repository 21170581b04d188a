package io.taskmaster.server.partition.log;

/**
 * A place between two rows of the log: every atom up to {@code ticket} is in a row before it, every later one in a row from it
 * on. Recovery starts here. Immutable.
 *
 * @param sequence the first row that recovery reads
 * @param ticket of the last atom before it
 */
public record Checkpoint(long epoch, long sequence, long ticket) {

    /** Before everything: nobody owned the partition yet. */
    static final Checkpoint START = new Checkpoint(0, 0, 0);

    public Checkpoint {
        if (epoch < 0 || sequence < 0 || ticket < 0) {
            throw new IllegalArgumentException(
                    "checkpoint: %d|%d at ticket %d (expected: not negative)".formatted(epoch, sequence, ticket));
        }
    }

    /** Whether this one is in a later row than the other. */
    boolean isAfter(Checkpoint other) {
        return epoch != other.epoch ? epoch > other.epoch : sequence > other.sequence;
    }
}
