package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command.Payload;
import java.util.List;

/**
 * The effect of one command, all or nothing (paper section 5.3). Everything in it is absolute: what a task is now, how large a
 * queue is now. So applying it needs no condition and no earlier state, and applying it again changes nothing. Immutable.
 *
 * @param ticket its place in the order of the partition's atoms
 * @param queues what changed, at most one element per queue
 */
public record ApplyAtom(long ticket, List<QueueChange> queues) {

    /** An atom without effect: a reply that changed nothing rides it. */
    public static ApplyAtom empty(long ticket) {
        return new ApplyAtom(ticket, List.of());
    }

    /**
     * A queue after the atom.
     *
     * @param generation of all the tasks below; another one than before: all earlier tasks of the queue are gone
     * @param reap whether rows of earlier generations may be left behind
     * @param available tasks that nobody leases
     * @param leased tasks under a lease, expired ones included
     * @param maxFifo the largest PID of the assigned form that the queue held since it was last empty
     */
    public record QueueChange(
            QueueKey queue,
            long generation,
            boolean reap,
            long available,
            long leased,
            FifoPid maxFifo,
            List<TaskChange> tasks) {}

    /** A task after the atom. */
    public sealed interface TaskChange {

        Pid pid();
    }

    /** The task has new data, is available and was never leased. */
    public record Put(Pid pid, Payload payload, long enqueuedMillis) implements TaskChange {}

    /** The task, whose data stay as they are, is leased. */
    public record Lease(Pid pid, Grant grant, int attempt) implements TaskChange {}

    /** The task, whose data stay as they are, is available again after so many attempts. */
    public record Free(Pid pid, int attempt) implements TaskChange {}

    /** The task is gone. */
    public record Remove(Pid pid) implements TaskChange {}
}
