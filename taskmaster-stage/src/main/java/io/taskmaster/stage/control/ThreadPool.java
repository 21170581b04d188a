package io.taskmaster.stage.control;

import io.taskmaster.time.Deadlines;
import java.time.Duration;

/**
 * The controller of {@link Controller#threadPool}. Immutable.
 *
 * <pre>{@code
 * sample                                               | setting
 * long waits or refusals, and the line is not shorter  | a climb is pressed: it finds the setting that gets most done
 * long waits, no refusals, and the line gets shorter   | unchanged
 * neither, for fewer than CALM samples                 | unchanged
 * neither, for CALM samples                            | up to an eighth fewer, but not fewer than were busy
 * }</pre>
 *
 * @param lastWaiting the number of events that waited at the last sample
 * @param calm evidence since events last waited too long, or workers were last let go
 */
record ThreadPool(Climb climb, long maxWaitNanos, long lastWaiting, Evidence calm) implements Controller {

    /** The share of the best rate that a lower setting has to reach to be kept. */
    private static final double FLOOR = 0.99;

    private static final int CALM = 10;

    /** The share of the previous sample's line below which a line counts as being worked off. */
    private static final double SHRINK_RATIO = 0.95;

    private static final int RELEASE_DIVISOR = 8;

    /** The part of a worker's time that is too little to keep it for. */
    private static final double MIN_UTILIZATION = 0.1;

    static ThreadPool of(Range range, Duration maxWait) {
        if (!maxWait.isPositive()) {
            throw new IllegalArgumentException("maxWait: %s (expected: above 0)".formatted(maxWait));
        }
        return new ThreadPool(
                Climb.from(range, FLOOR, range.least(), true), Deadlines.nanos(maxWait), 0, Evidence.NONE);
    }

    @Override
    public int setting() {
        return climb.setting();
    }

    @Override
    public Range range() {
        return climb.range();
    }

    @Override
    public Controller after(Sample sample) {
        if (sample.waitNanos() > maxWaitNanos || sample.turnedAway() > 0) {
            boolean isWorkedOff = sample.turnedAway() == 0 && sample.waiting() < SHRINK_RATIO * lastWaiting;
            return next(isWorkedOff ? climb.relieved(setting(), true) : climb.pressed(sample), sample, Evidence.NONE);
        }
        Evidence more = calm.and(sample);
        return more.samples() < CALM
                ? next(climb.relieved(setting(), true), sample, more)
                : next(climb.relieved(afterRelease(more.busy(sample.atWork())), true), sample, Evidence.NONE);
    }

    private ThreadPool next(Climb climbed, Sample sample, Evidence calmSince) {
        return new ThreadPool(climbed, maxWaitNanos, sample.waiting(), calmSince);
    }

    private int afterRelease(double busy) {
        int fewer = setting() - Math.max(1, setting() / RELEASE_DIVISOR);
        return climb.range().clamp(Math.min(setting(), Math.max(fewer, Math.ceil(busy - MIN_UTILIZATION))));
    }
}
