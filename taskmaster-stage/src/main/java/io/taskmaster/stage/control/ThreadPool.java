package io.taskmaster.stage.control;

import io.taskmaster.time.Deadlines;
import java.time.Duration;

/**
 * {@link Controller#threadPool}. Immutable.
 *
 * <pre>
 * events wait longer than they may, and the line does not get shorter, or are turned away
 *                                   -> {@link Climb} to where the most gets done
 * they do not, for CALM samples     -> an eighth fewer, if those have been idle
 * </pre>
 *
 * @param line events that waited, at the last sample
 * @param calm since events last waited too long, or workers were last let go
 */
record ThreadPool(Climb climb, long maxWaitNanos, long line, Evidence calm) implements Controller {

    /** A lower setting is kept if it gets practically as much done. */
    private static final double FLOOR = 0.99;

    private static final int CALM = 10;

    /** A line that is shorter by that share than a sample ago is being worked off. */
    private static final double SHORTER = 0.95;

    private static final int SHARE_LET_GO = 8;

    /** What is less than that of a worker is not worth one. */
    private static final double SLACK = 0.1;

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
            boolean isWorkedOff = sample.turnedAway() == 0 && sample.waiting() < SHORTER * line;
            return next(isWorkedOff ? climb.relieved(setting(), true) : climb.pressed(sample), sample, Evidence.NONE);
        }
        Evidence more = calm.and(sample);
        return more.samples() < CALM
                ? next(climb.relieved(setting(), true), sample, more)
                : next(climb.relieved(afterLettingGo(more.busy(sample.atWork())), true), sample, Evidence.NONE);
    }

    private ThreadPool next(Climb climbed, Sample sample, Evidence calmSince) {
        return new ThreadPool(climbed, maxWaitNanos, sample.waiting(), calmSince);
    }

    private int afterLettingGo(double busy) {
        int fewer = setting() - Math.max(1, setting() / SHARE_LET_GO);
        return climb.range().clamp(Math.min(setting(), Math.max(fewer, Math.ceil(busy - SLACK))));
    }
}
