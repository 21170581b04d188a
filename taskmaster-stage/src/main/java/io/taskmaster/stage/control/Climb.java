package io.taskmaster.stage.control;

import org.jspecify.annotations.Nullable;

/**
 * A hill climb: the search for the setting at which a stage with a backlog gets the most done. Pure; immutable.
 *
 * <p>It tries other settings. A higher one is kept if it gets more done, a lower one if it gets practically as much
 * done. A trial that failed is taken back; then the other direction is tried with a smaller step, after a rest that
 * gets longer each time.
 *
 * <pre>{@code
 * state     | event                                | next state | effect
 * OBSERVING | enough evidence                      | TRYING     | the next setting in the direction
 * OBSERVING | enough evidence, no next setting     | RESTING    | the direction is reversed
 * TRYING    | enough evidence, and it is worth it  | TRYING     | kept; the next setting, with twice the step
 * TRYING    | not worth it, or hopeless            | RESTING    | taken back; the other direction, half the step
 * RESTING   | the rest is over                     | OBSERVING  |
 * any       | relieved                             | OBSERVING  | what was learned is forgotten
 * }</pre>
 *
 * @param floor the share of the best rate that a lower setting has to reach to be kept
 * @param isUpward the direction of the next trial
 * @param step the size of a trial upwards, as a share of the setting; downwards it is half of that
 * @param best the highest rate that was seen, in events per second; it fades
 * @param evidence evidence of the present setting, while nothing is tried
 * @param trial the present trial; null: none
 * @param remainingRest the number of samples until something is tried
 * @param nextRest the length of the next rest
 */
record Climb(
        Range range,
        double floor,
        int setting,
        boolean isUpward,
        double step,
        double best,
        Evidence evidence,
        @Nullable Trial trial,
        int remainingRest,
        int nextRest) {

    private static final double MAX_STEP = 0.5;
    private static final double MIN_STEP = 0.125;

    /** The factor by which a higher setting has to get more done. */
    private static final double MIN_GAIN = 1.02;

    private static final double DECAY = 0.9995;

    /** The share of the best rate below which the load must have changed: no single step costs that much. */
    private static final double OTHER_LOAD = 0.7;

    private static final int FIRST_REST = 4;
    private static final int MAX_REST = 100;

    static Climb from(Range range, double floor, int setting, boolean isUpward) {
        return new Climb(range, floor, setting, isUpward, MAX_STEP, 0, Evidence.NONE, null, 0, FIRST_REST);
    }

    /**
     * Sets another setting without a trial, since the stage keeps up. What was learned belongs to another load and is
     * forgotten.
     */
    Climb relieved(int newSetting, boolean upwardNext) {
        return from(range, floor, newSetting, upwardNext);
    }

    /** Returns the climb after a sample in which the stage had a backlog. */
    Climb pressed(Sample sample) {
        if (trial != null) {
            Trial more = trial.and(sample);
            return more.evidence().isEnough(isLargeStep()) || more.isHopeless() ? evaluate(more) : with(more);
        }
        if (remainingRest > 0) {
            return resting(setting, isUpward, step, remainingRest - 1, nextRest);
        }
        Evidence more = evidence.and(sample);
        return more.isEnough(isLargeStep()) ? trying(more, step) : with(more);
    }

    private boolean isLargeStep() {
        return step == MAX_STEP;
    }

    private Climb evaluate(Trial tried) {
        double rate = tried.evidence().perSecond();
        // A lower setting is compared with the best rate and not with the last one, so small losses do not add up from
        // trial to trial.
        boolean isImprovement = isUpward ? isGain(rate, tried.rateBefore()) : rate >= floor * best;
        if (isImprovement) {
            return trying(tried.evidence(), Math.min(2 * step, MAX_STEP));
        }
        // A lower setting that gets far less done is not tried again soon, since each trial costs throughput.
        int pause = !isUpward && tried.isHopeless() ? MAX_REST : nextRest;
        return resting(
                tried.before(),
                !isUpward || tried.before() == range.least(),
                Math.max(step / 2, MIN_STEP),
                pause,
                Math.min(2 * pause, MAX_REST));
    }

    /**
     * Returns whether a higher setting is worth it. If nothing was seen before, since handlers take longer than a
     * sample, it is given a chance.
     */
    private static boolean isGain(double rate, double before) {
        return rate > MIN_GAIN * before || before == 0;
    }

    private Climb trying(Evidence known, double size) {
        double increment = Math.max(1, setting * (isUpward ? size : size / 2));
        int next = range.clamp(isUpward ? setting + Math.floor(increment) : setting - Math.floor(increment));
        if (next == setting || (!isUpward && known.perSecond() == 0)) {
            // The range ends here, or there is no rate to compare a lower setting with. So the other direction is next.
            return resting(setting, !isUpward, size, nextRest, nextRest);
        }
        Trial nextTrial = Trial.against(setting, known.perSecond());
        boolean isOtherLoad = known.perSecond() < OTHER_LOAD * best;
        double bestKnown = isOtherLoad ? known.perSecond() : Math.max(best * DECAY, known.perSecond());
        return new Climb(range, floor, next, isUpward, size, bestKnown, Evidence.NONE, nextTrial, 0, nextRest);
    }

    private Climb resting(int at, boolean upwardNext, double size, int samples, int nextRest) {
        return new Climb(range, floor, at, upwardNext, size, best * DECAY, Evidence.NONE, null, samples, nextRest);
    }

    private Climb with(Evidence more) {
        return new Climb(range, floor, setting, isUpward, step, best * DECAY, more, null, 0, nextRest);
    }

    private Climb with(Trial more) {
        return new Climb(range, floor, setting, isUpward, step, best * DECAY, evidence, more, 0, nextRest);
    }
}
