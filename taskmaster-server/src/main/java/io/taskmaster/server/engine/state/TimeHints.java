package io.taskmaster.server.engine.state;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of the stored time index, as the partition sees it: hints of tasks that are not in memory and that time has
 * to pass. Single-threaded: owned by the partition's loop.
 */
public final class TimeHints {

    private final PartitionState state;

    TimeHints(PartitionState state) {
        this.state = state;
    }

    /** The head of the stored time index, as far as known: tasks that are not in memory, in order of time. */
    public Collection<TimeHint> known() {
        return state.times.hints();
    }

    /**
     * Returns stored instants that have come. Their tasks must be read before time can pass.
     *
     * @param maxBytes bound on the data of these tasks, for all but the first
     */
    public List<TimeHint> due(long nowMillis, int max, long maxBytes) {
        return state.times.due(nowMillis, max, maxBytes);
    }

    /** Returns whether the stored index must be read on before time can pass this instant. */
    public boolean needsMore(long nowMillis) {
        return !state.times.knows(nowMillis);
    }

    /** Returns the position from which the stored index must be read on; null if all of it is known. */
    public @Nullable TimeHint loadFrom() {
        return state.times.loadFrom();
    }

    /**
     * Takes in rows of the stored index, read from {@link #loadFrom} on.
     *
     * @param from where the scan began; if the head no longer ends there, the result is discarded
     * @param until every row before this one is among the hints; null: there are no more
     */
    public void loaded(TimeHint from, List<TimeHint> hints, @Nullable TimeHint until) {
        state.times.loaded(from, hints, until);
    }

    /** Returns whether the task that a hint stands for is in memory. */
    public boolean isInMemory(TimeHint hint) {
        QueueState queue = state.queues.get(hint.queue());
        return queue != null && queue.generation == hint.generation() && queue.tasks.containsKey(hint.pid());
    }

    /** Closes a hint whose task has been loaded, or is in memory anyway. */
    public void settled(TimeHint hint) {
        state.times.settled(hint);
        QueueState queue = state.queues.get(hint.queue());
        Task task = queue == null || queue.generation != hint.generation() ? null : queue.present(hint.pid());
        // The row names the instant, not its cause: a later lease that expires at the same instant has the same row.
        if (task == null || task.firesMillis() != hint.millis()) {
            state.dirty.staleHint(hint);
            if (task != null) {
                state.residency.settle(task);
            }
        }
    }
}
