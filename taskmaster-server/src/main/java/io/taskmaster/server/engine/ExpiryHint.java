package io.taskmaster.server.engine;

import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.Comparator;

/**
 * A row of the stored time index: such a lease runs out then. Only a hint: believed if the task still holds that lease. Ordered
 * as the rows are. Immutable.
 *
 * @param generation of the queue
 */
public record ExpiryHint(long expiresMillis, QueueKey queue, long generation, Pid pid, long leaseId)
        implements Comparable<ExpiryHint> {

    /** Before every other one. */
    static final ExpiryHint FIRST = new ExpiryHint(0, new QueueKey(GroupName.EMPTY, QueueName.EMPTY), 0, Pid.EMPTY, 0);

    private static final Comparator<ExpiryHint> ORDER = Comparator.comparingLong(ExpiryHint::expiresMillis)
            .thenComparing(ExpiryHint::queue)
            .thenComparingLong(ExpiryHint::generation)
            .thenComparing(ExpiryHint::pid)
            .thenComparingLong(ExpiryHint::leaseId);

    /** Where to go on behind this one. */
    public ExpiryHint successor() {
        return new ExpiryHint(expiresMillis, queue, generation, pid.successor(), 0);
    }

    @Override
    public int compareTo(ExpiryHint other) {
        return ORDER.compare(this, other);
    }
}
