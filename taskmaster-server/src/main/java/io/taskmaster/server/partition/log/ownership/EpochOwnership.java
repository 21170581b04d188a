package io.taskmaster.server.partition.log.ownership;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The result of a takeover: every earlier epoch is fenced, and its committed atoms were replayed. Immutable.
 *
 * @param record the owner's record, as stored
 * @param endedAt the ends of the epochs that were replayed: the sequence of the first fence of each. Those fences stay
 *     for ever
 * @param lastTicket the ticket of the last atom in the log; the next one is above it
 */
public record EpochOwnership(PartitionRecord record, NavigableMap<Long, Long> endedAt, long lastTicket) {

    public EpochOwnership {
        endedAt = Collections.unmodifiableNavigableMap(new TreeMap<>(endedAt));
    }

    /** The epoch of this owner. */
    public long epoch() {
        return record.epoch();
    }
}
