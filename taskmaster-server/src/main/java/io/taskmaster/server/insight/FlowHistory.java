package io.taskmaster.server.insight;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The history of some queues together, in every {@link Resolution}. At most 70 KiB. Single-threaded: owned by the
 * {@link Recorder}.
 */
final class FlowHistory {

    /** The factor by which {@link #weight} decays per step: half of it is left after five minutes. */
    private static final double DECAY = Math.pow(.5, 1. / Resolution.LAST_DAY.steps());

    /** The number of steps for the current rate: a minute. */
    private static final int RECENT_STEPS = 6;

    private final Series lastHour = new Series(Resolution.LAST_HOUR);
    private final Series lastDay = new Series(Resolution.LAST_DAY);
    private double weight;
    private @Nullable Point total;

    /** Adds a step. */
    void add(Point step) {
        weight = Math.max((double) step.operations(), DECAY * weight);
        lastHour.add(step);
        lastDay.add(step);
        total = total == null ? step : total.followedBy(step);
    }

    /** Returns the sum of all steps, and that of the last minute; empty before the first step. */
    Optional<FlowSummary> standing() {
        return Optional.ofNullable(total)
                .map(all -> new FlowSummary(all, lastHour.last(RECENT_STEPS).orElse(all)));
    }

    /** Returns the activity per step: of the last step, or a decaying maximum of earlier ones. */
    double weight() {
        return weight;
    }

    List<Point> points(Resolution resolution) {
        return switch (resolution) {
            case LAST_HOUR -> lastHour.points();
            case LAST_DAY -> lastDay.points();
        };
    }
}
