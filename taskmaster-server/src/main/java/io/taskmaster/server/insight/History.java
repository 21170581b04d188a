package io.taskmaster.server.insight;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What some queues did together, in every {@link Resolution}. At most 70 KiB. Single-threaded: owned by whoever keeps it. */
final class History {

    /** How much of {@link #weight} is left a step later: half of it after five minutes. */
    private static final double KEPT = Math.pow(.5, 1. / Resolution.LAST_DAY.steps());

    /** So many steps say how fast work is done: a minute. */
    private static final int LATELY_STEPS = 6;

    private final Series lastHour = new Series(Resolution.LAST_HOUR);
    private final Series lastDay = new Series(Resolution.LAST_DAY);
    private double weight;
    private @Nullable Point total;

    /** One step has passed. */
    void add(Point step) {
        weight = Math.max((double) step.deeds(), KEPT * weight);
        lastHour.add(step);
        lastDay.add(step);
        total = total == null ? step : total.then(step);
    }

    /** All steps as one, and how long what waits would take; empty before the first. */
    Optional<Standing> standing() {
        return Optional.ofNullable(total)
                .map(all -> new Standing(all, lastHour.last(LATELY_STEPS).orElse(all)));
    }

    /** How much goes on there in a step, or went on lately. */
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
