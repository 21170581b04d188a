package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.dedup.Memo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effect of one command, all or nothing (paper section 5.3). Everything in it is absolute: what a task is now, how large a
 * queue is now. So applying it needs no condition and no earlier state, and applying it again changes nothing. Immutable.
 *
 * @param ticket its place in the order of the partition's atoms
 * @param queues what changed, at most one element per queue
 * @param options of queues, that are new
 * @param memo what is to be remembered of the request; null: nothing
 */
public record ApplyAtom(
        long ticket,
        List<QueueChange> queues,
        List<OptionsChange> options,
        @Nullable Memo memo) {

    public ApplyAtom(long ticket, List<QueueChange> queues) {
        this(ticket, queues, List.of(), null);
    }

    /** An atom without effect: a reply that changed nothing rides it. */
    public static ApplyAtom empty(long ticket) {
        return new ApplyAtom(ticket, List.of());
    }

    /** The options of a queue after the atom, whether the queue holds tasks or not. */
    public record OptionsChange(QueueKey queue, QueueOptions options) {}

    /**
     * A queue after the atom.
     *
     * @param generation of all the tasks below; another one than before: all earlier tasks of the queue are gone
     * @param reap whether rows of earlier generations may be left behind
     * @param sizes of the whole queue
     * @param maxFifo the largest PID of the assigned form that the queue held since it was last empty
     */
    public record QueueChange(
            QueueKey queue, long generation, boolean reap, Sizes sizes, FifoPid maxFifo, List<TaskChange> tasks) {}

    /** A task after the atom. */
    public sealed interface TaskChange {

        Pid pid();
    }

    /** The task is new, or all of its data are: nobody leases it or ever did, and nothing is remembered beside it. */
    public record Put(Pid pid, Enqueued data) implements TaskChange {}

    /**
     * The task, which nobody leases now, goes where its {@code notBeforeMillis} says, and its data go with it.
     *
     * @param rerun what is remembered beside it; null: nothing
     */
    public record Move(
            Pid pid, Enqueued data, int attempt, @Nullable Enqueued rerun) implements TaskChange {}

    /**
     * The task, whose data stay as they are, is leased.
     *
     * @param remembers whether something is remembered beside it, which stays as it is
     */
    public record Lease(Pid pid, Grant grant, int attempt, boolean remembers) implements TaskChange {}

    /**
     * The task, whose data stay as they are, is available again after so many attempts.
     *
     * @param remembers likewise
     */
    public record Free(Pid pid, int attempt, boolean remembers) implements TaskChange {}

    /** The task, whose data stay as they are, is leased, and this is remembered beside it: it takes its place when it is dequeued. */
    public record Remember(Pid pid, Grant grant, int attempt, Enqueued rerun) implements TaskChange {}

    /** The task is gone. */
    public record Remove(Pid pid) implements TaskChange {}
}
