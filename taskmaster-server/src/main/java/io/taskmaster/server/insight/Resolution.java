package io.taskmaster.server.insight;

/** The resolution of a history: the distance of its points, and their number. */
public enum Resolution {
    /** A point every ten seconds. */
    LAST_HOUR(1, 360),

    /** A point every five minutes. */
    LAST_DAY(30, 288);

    private final int steps;
    private final int points;

    Resolution(int steps, int points) {
        this.steps = steps;
        this.points = points;
    }

    /** The number of steps of the finest resolution that a point spans. */
    int steps() {
        return steps;
    }

    /** The number of points that are kept. */
    int points() {
        return points;
    }
}
