package io.taskmaster.server.insight;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The last points in one resolution, oldest first. Single-threaded: owned by its {@link FlowHistory}. */
final class Series {

    private final Resolution resolution;
    private final ArrayDeque<Point> points = new ArrayDeque<>();

    /** The point whose span is not complete; null: none has begun. */
    private @Nullable Point growing;

    private int grown;

    Series(Resolution resolution) {
        this.resolution = resolution;
    }

    /** Adds a step. */
    void add(Point step) {
        growing = growing == null ? step : growing.followedBy(step);
        if (++grown == resolution.steps()) {
            points.add(growing);
            growing = null;
            grown = 0;
        }
        if (points.size() > resolution.points()) {
            points.remove();
        }
    }

    /** Returns the last points, at most {@code count}, merged into one; empty before the first. */
    Optional<Point> last(int count) {
        return points.stream().skip(Math.max(0, points.size() - count)).reduce(Point::followedBy);
    }

    List<Point> points() {
        return List.copyOf(points);
    }
}
