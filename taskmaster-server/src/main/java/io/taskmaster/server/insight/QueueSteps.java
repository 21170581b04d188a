package io.taskmaster.server.insight;

import io.taskmaster.command.Counts;
import io.taskmaster.command.Reply.Description;
import io.taskmaster.model.QueueKey;
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
        Map<QueueKey, Point> points = new HashMap<>();
        for (Description queue : now.queues()) {
            QueueKey name = queue.summary().queue();
            found.put(name, queue.counts());
            points.put(name, point(queue, delta(queue, former.get(name), idle.spanMillis()), idle));
        }
        former = found;
        return points;
    }

    private static Counts delta(Description queue, @Nullable Counts before, long spanMillis) {
        Counts now = queue.counts();
        if (before != null && !now.minus(before).hasLoss()) {
            return now.minus(before);
        }
        return isYoungerThan(spanMillis, queue) ? now : atItsRates(queue, spanMillis);
    }

    private static boolean isYoungerThan(long spanMillis, Description queue) {
        double rate = queue.enqueueRate() + queue.leaseRate() + queue.dequeueRate();
        double weight = rate * Description.RATE_WINDOW_MILLIS / MILLIS_PER_SECOND;
        double minWeight = queue.counts().operations() * Math.exp(-spanMillis / Description.RATE_WINDOW_MILLIS);
        return weight >= minWeight * (1 - FADING_ERROR);
    }

    private static Counts atItsRates(Description queue, long spanMillis) {
        double seconds = spanMillis / MILLIS_PER_SECOND;
        return new Counts(
                Math.round(queue.enqueueRate() * seconds),
                Math.round(queue.leaseRate() * seconds),
                Math.round(queue.dequeueRate() * seconds),
                0);
    }

    private static Point point(Description queue, Counts delta, Point idle) {
        return new Point(
                idle.atMillis(),
                idle.spanMillis(),
                queue.summary().available(),
                queue.summary().leased(),
                queue.summary().delayed(),
                queue.oldestAvailableAgeMillis().orElse(0L),
                delta.enqueued(),
                delta.leases(),
                delta.dequeued(),
                delta.expired());
    }
}
