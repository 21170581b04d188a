package io.taskmaster.stage.control;

import org.jspecify.annotations.Nullable;

/**
 * Looks for the setting with which a stage that has more to do than it can gets the most done, by trying others. More is kept if it got more done,
 * less if it got practically no less done. What was in vain is taken back; then the other direction is tried with a smaller step, after a rest that is
 * longer each time. Pure; immutable.
 *
 * @param floor what share of the best rate a lower setting has to reach to be kept
 * @param isUpward the direction that is tried next
 * @param step how much more, as a share of the setting; less is half of that less
 * @param best events in a second, the most that was seen; it fades
 * @param seen of the present setting, while nothing is tried
 * @param rest samples until something is tried
 * @param patience the next rest
 */
record Climb(
        Range range,
        double floor,
        int setting,
        boolean isUpward,
        double step,
        double best,
        Evidence seen,
        @Nullable Trial trial,
        int rest,
        int patience) {

    private static final double LARGEST_STEP = 0.5;
    private static final double SMALLEST_STEP = 0.125;

    /** More has to get so many times as much done. */
    private static final double WORTH_MORE = 1.02;

    private static final double FADES = 0.9995;

    /** No single step costs so much of the best rate: it is of another load. */
    private static final double OTHER_LOAD = 0.7;

    private static final int FIRST_REST = 4;
    private static final int LONGEST_REST = 100;

    static Climb from(Range range, double floor, int setting, boolean isUpward) {
        return new Climb(range, floor, setting, isUpward, LARGEST_STEP, 0, Evidence.NONE, null, 0, FIRST_REST);
    }

    /** What is set is what is needed, or more: whatever is tried is kept, and what was learned is of another load. */
    Climb relieved(int newSetting, boolean upwardNext) {
        return from(range, floor, newSetting, upwardNext);
    }

    /** The stage had more to do than it could. */
    Climb pressed(Sample sample) {
        if (trial != null) {
            Trial more = trial.and(sample);
            return more.seen().isEnough(isLargeStep()) || more.isHopeless() ? judge(more) : with(more);
        }
        if (rest > 0) {
            return resting(setting, isUpward, step, rest - 1, patience);
        }
        Evidence more = seen.and(sample);
        return more.isEnough(isLargeStep()) ? trying(more, step) : with(more);
    }

    private boolean isLargeStep() {
        return step == LARGEST_STEP;
    }

    private Climb judge(Trial tried) {
        double rate = tried.seen().perSecond();
        boolean isWorth = isUpward ? isWorthMore(rate, tried.rateBefore()) : rate >= floor * best;
        if (isWorth) {
            return trying(tried.seen(), Math.min(2 * step, LARGEST_STEP));
        }
        // Less that gets far less done is not soon tried again: each time costs something.
        int pause = !isUpward && tried.isHopeless() ? LONGEST_REST : patience;
        return resting(
                tried.before(),
                !isUpward || tried.before() == range.least(),
                Math.max(step / 2, SMALLEST_STEP),
                pause,
                Math.min(2 * pause, LONGEST_REST));
    }

    /** Where nothing could be seen, since handlers take longer than one looks, more is not in vain. */
    private static boolean isWorthMore(double rate, double before) {
        return rate > WORTH_MORE * before || before == 0;
    }

    private Climb trying(Evidence known, double size) {
        double by = Math.max(1, setting * (isUpward ? size : size / 2));
        int next = range.clamp(isUpward ? setting + Math.floor(by) : setting - Math.floor(by));
        if (next == setting || (!isUpward && known.perSecond() == 0)) {
            // At an end, or nothing is known to fall back from: the other direction has its turn.
            return resting(setting, !isUpward, size, patience, patience);
        }
        Trial another = Trial.against(setting, known.perSecond());
        boolean isOtherLoad = known.perSecond() < OTHER_LOAD * best;
        double bestKnown = isOtherLoad ? known.perSecond() : Math.max(best * FADES, known.perSecond());
        return new Climb(range, floor, next, isUpward, size, bestKnown, Evidence.NONE, another, 0, patience);
    }

    private Climb resting(int at, boolean upwardNext, double size, int samples, int nextPatience) {
        return new Climb(range, floor, at, upwardNext, size, best * FADES, Evidence.NONE, null, samples, nextPatience);
    }

    private Climb with(Evidence more) {
        return new Climb(range, floor, setting, isUpward, step, best * FADES, more, null, 0, patience);
    }

    private Climb with(Trial more) {
        return new Climb(range, floor, setting, isUpward, step, best * FADES, seen, more, 0, patience);
    }
}
