package io.taskmaster.server.engine.command;

import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.dedup.DedupEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effect of one command, all or nothing (paper section 5.3). Everything in it is absolute: the state of a task, the
 * sizes of a queue. So applying it needs no condition and no earlier state, and replaying it over rows that have its
 * effects changes nothing. Immutable.
 *
 * @param ticket its place in the order of the partition's atoms
 * @param queues the changes, at most one element per queue
 * @param options the new options of queues
 * @param dedupEntry the entry of the dedup window; null: none
 */
public record ApplyAtom(
        long ticket,
        List<QueueChange> queues,
        List<OptionsChange> options,
        @Nullable DedupEntry dedupEntry) {

    public ApplyAtom(long ticket, List<QueueChange> queues) {
        this(ticket, queues, List.of(), null);
    }

    /** Returns an atom without effect, for a reply that changed nothing and needs an atom to be committed with. */
    public static ApplyAtom empty(long ticket) {
        return new ApplyAtom(ticket, List.of());
    }

    /** The options of a queue after the atom, whether the queue holds tasks or not. */
    public record OptionsChange(QueueKey queue, QueueOptions options) {}

    /**
     * A queue after the atom.
     *
     * @param generation the generation of all tasks below; if it differs from the one before, all earlier tasks of the
     *     queue are gone
     * @param reap whether rows of earlier generations may be left behind
     * @param sizes the sizes of the whole queue
     * @param maxFifo the largest PID of the assigned form that the queue has held since it was last empty
     */
    public record QueueChange(
            QueueKey queue, long generation, boolean reap, Sizes sizes, FifoPid maxFifo, List<TaskChange> tasks) {}

    /** A task after the atom. */
    public sealed interface TaskChange {

        Pid pid();
    }

    /** A task that is new, or all of whose data are. It is not leased and never was, and has no rerun. */
    public record Put(Pid pid, Enqueued data) implements TaskChange {}

    /**
     * A task that is not leased now. It goes with its data to the place that its {@code notBeforeMillis} says.
     *
     * @param rerun the enqueue that takes its place when it is dequeued; null: none
     */
    public record Move(
            Pid pid, Enqueued data, int attempt, @Nullable Enqueued rerun) implements TaskChange {}

    /**
     * A leased task whose data stay as they are.
     *
     * @param remembers whether it has a rerun, which stays as it is
     */
    public record Lease(Pid pid, Grant grant, int attempt, boolean remembers) implements TaskChange {}

    /**
     * A task that is available again after this many attempts and whose data stay as they are.
     *
     * @param remembers whether it has a rerun, which stays as it is
     */
    public record Free(Pid pid, int attempt, boolean remembers) implements TaskChange {}

    /** A leased task that gets this rerun, which takes its place when it is dequeued. Its data stay as they are. */
    public record Remember(Pid pid, Grant grant, int attempt, Enqueued rerun) implements TaskChange {}

    /** A task that is gone. */
    public record Remove(Pid pid) implements TaskChange {}
}
