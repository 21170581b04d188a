package io.taskmaster.server.engine.state;

import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.Comparator;

/**
 * A row of the stored time index: at this instant a lease expires, or a delay is over. Only a hint: believed if the
 * task still waits for that instant. Ordered as the rows are, and equal if they are the same row. Immutable.
 *
 * @param generation of the queue
 * @param dataBytes the size of the task's data, for a bound on reads
 */
public record TimeHint(long millis, QueueKey queue, long generation, Pid pid, int dataBytes)
        implements Comparable<TimeHint> {

    /** A hint before every other one. */
    public static final TimeHint FIRST =
            new TimeHint(0, new QueueKey(GroupName.EMPTY, QueueName.EMPTY), 0, Pid.EMPTY, 0);

    private static final Comparator<TimeHint> ORDER = Comparator.comparingLong(TimeHint::millis)
            .thenComparing(TimeHint::queue)
            .thenComparingLong(TimeHint::generation)
            .thenComparing(TimeHint::pid);

    /** Returns the row of a task that waits for its instant. */
    static TimeHint of(Task task) {
        return new TimeHint(task.firesMillis(), task.queue.key, task.generation, task.pid, Math.max(0, task.dataBytes));
    }

    /** Returns the position before all rows of an instant. */
    static TimeHint startOf(long millis) {
        return new TimeHint(millis, FIRST.queue, FIRST.generation, FIRST.pid, 0);
    }

    /** Returns the position behind this one. */
    public TimeHint successor() {
        return new TimeHint(millis, queue, generation, pid.successor(), 0);
    }

    @Override
    public int compareTo(TimeHint other) {
        return ORDER.compare(this, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TimeHint hint && compareTo(hint) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(millis) * 31 + pid.hashCode();
    }
}
