package io.taskmaster.server.partition.log;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What an owner holds after it took over: every earlier epoch is fenced, and what they committed was handed to it. Immutable.
 *
 * @param record its own record, as stored
 * @param endedAt where the epochs that were replayed end: the sequence of the first fence of each. Those fences stay for ever
 * @param lastTicket of the last atom in the log; the next one is above it
 */
public record Tenure(PartitionRecord record, NavigableMap<Long, Long> endedAt, long lastTicket) {

    public Tenure {
        endedAt = Collections.unmodifiableNavigableMap(new TreeMap<>(endedAt));
    }

    /** The epoch of this owner. */
    public long epoch() {
        return record.epoch();
    }
}
