package io.taskmaster.stage.control;

/**
 * Another setting, to see what comes of it. Events that were begun with the one before do not count: so neither does the first sample in which some
 * were done. Immutable.
 *
 * @param before the setting that it is compared with
 * @param rateBefore events in a second with that one
 * @param unsettled samples that did not count
 */
record Trial(int before, double rateBefore, boolean isSettled, int unsettled, Evidence seen) {

    /** If none is done for so long, none is waited for any more. */
    private static final int MOST_UNSETTLED = 10;

    /** What costs so much is not looked at for longer. */
    private static final double HOPELESS = 0.7;

    private static final int ENOUGH_SAMPLES = 2;

    static Trial against(int before, double rateBefore) {
        return new Trial(before, rateBefore, false, 0, Evidence.NONE);
    }

    Trial and(Sample sample) {
        if (isSettled) {
            return new Trial(before, rateBefore, true, unsettled, seen.and(sample));
        }
        boolean settles = sample.done() > 0 || unsettled + 1 == MOST_UNSETTLED;
        return new Trial(before, rateBefore, settles, unsettled + 1, seen);
    }

    /** Whether it is far worse, so that it costs something to find out how much. */
    boolean isHopeless() {
        return seen.samples() >= ENOUGH_SAMPLES && seen.perSecond() < HOPELESS * rateBefore;
    }
}
