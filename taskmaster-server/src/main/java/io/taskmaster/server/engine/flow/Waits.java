package io.taskmaster.server.engine.flow;

import io.taskmaster.command.Verdict;
import io.taskmaster.model.QueueKey;
import java.util.Optional;

/**
 * The queues of a family that have a {@link Verdict} of their own, as of the last look at each. Immutable.
 *
 * @param stuckLongest the one that got stuck first; of several partitions that of one of them
 */
public record Waits(Tally stuck, Tally paused, Tally kept, Optional<QueueKey> stuckLongest) {

    public static final Waits NONE = new Waits(Tally.NONE, Tally.NONE, Tally.NONE, Optional.empty());

    /**
     * The queues of one verdict.
     *
     * @param tasks that are available there
     */
    public record Tally(long queues, long tasks) {

        static final Tally NONE = new Tally(0, 0);

        Tally plus(Tally other) {
            return new Tally(queues + other.queues, tasks + other.tasks);
        }
    }

    Waits plus(Waits other) {
        return new Waits(
                stuck.plus(other.stuck),
                paused.plus(other.paused),
                kept.plus(other.kept),
                stuckLongest.isPresent() ? stuckLongest : other.stuckLongest);
    }

    /** The available tasks of all of them. */
    public long tasks() {
        return stuck.tasks + paused.tasks + kept.tasks;
    }
}
