package io.taskmaster.server.insight;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Reply.Description;
import io.taskmaster.server.engine.flow.Counts;
import io.taskmaster.server.engine.rank.BusiestQueues;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The differences between successive looks at queues. Single-threaded: owned by the {@link Recorder}.
 *
 * <p>Counts of a queue only grow, unless the queue was evicted in between and counts from zero. Then, and if the
 * previous look did not include the queue, its counts may all be of this step, or some of them older. Its rates decide:
 * an event contributes e<sup>-age/window</sup> to them. If the rates are too low for all counted events to be that
 * young, the step is estimated from the rates of the last minute.
 */
final class QueueSteps {

    private static final double MILLIS_PER_SECOND = 1_000;

    /** The relative error of rates, which decay in small steps and so may be slightly too low. */
    private static final double FADING_ERROR = .01;

    private Map<QueueKey, Counts> former = Map.of();

    /**
     * Returns the points since the previous look.
     *
     * @param idle the point of a queue without any activity
     */
    Map<QueueKey, Point> next(BusiestQueues.Found now, Point idle) {
        Map<QueueKey, Counts> found = new HashMap<>();
        Map<QueueKey, Point> happened = new HashMap<>();
        for (Description queue : now.queues()) {
            QueueKey name = queue.summary().queue();
            found.put(name, queue.counts());
            happened.put(name, point(queue, happened(queue, former.get(name), idle.spanMillis()), idle));
        }
        former = found;
        return happened;
    }

    private static Counts happened(Description queue, @Nullable Counts before, long spanMillis) {
        Counts now = queue.counts();
        if (before != null && !now.minus(before).hasLoss()) {
            return now.minus(before);
        }
        return isYoungerThan(spanMillis, queue) ? now : atItsRates(queue, spanMillis);
    }

    private static boolean isYoungerThan(long spanMillis, Description queue) {
        double rate = queue.enqueueRate() + queue.leaseRate() + queue.dequeueRate();
        double weight = rate * Description.RATE_WINDOW_MILLIS / MILLIS_PER_SECOND;
        double least = queue.counts().deeds() * Math.exp(-spanMillis / Description.RATE_WINDOW_MILLIS);
        return weight >= least * (1 - FADING_ERROR);
    }

    private static Counts atItsRates(Description queue, long spanMillis) {
        double seconds = spanMillis / MILLIS_PER_SECOND;
        return new Counts(
                Math.round(queue.enqueueRate() * seconds),
                Math.round(queue.leaseRate() * seconds),
                Math.round(queue.dequeueRate() * seconds),
                0);
    }

    private static Point point(Description queue, Counts happened, Point idle) {
        return new Point(
                idle.atMillis(),
                idle.spanMillis(),
                queue.summary().available(),
                queue.summary().leased(),
                queue.summary().delayed(),
                queue.oldestAvailableAgeMillis().orElse(0L),
                happened.enqueued(),
                happened.leases(),
                happened.dequeued(),
                happened.expired());
    }
}
