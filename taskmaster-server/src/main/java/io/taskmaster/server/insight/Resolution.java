package io.taskmaster.server.insight;

/** How far the points of a history are apart, and how many are kept. */
public enum Resolution {
    /** Every ten seconds. */
    LAST_HOUR(1, 360),

    /** Every five minutes. */
    LAST_DAY(30, 288);

    private final int steps;
    private final int points;

    Resolution(int steps, int points) {
        this.steps = steps;
        this.points = points;
    }

    /** How many steps of the finest resolution a point spans. */
    int steps() {
        return steps;
    }

    /** How many are kept. */
    int points() {
        return points;
    }
}
