package io.taskmaster.stage.control;

/**
 * A trial of another setting. Events that began under the previous setting do not count, so the first sample in which
 * some were done does not either. Immutable.
 *
 * <pre>{@code
 * state     | event                                          | next state | effect
 * UNSETTLED | a sample without events done                   | UNSETTLED  | does not count
 * UNSETTLED | a sample with some, or MAX_UNSETTLED samples   | SETTLED    | does not count
 * SETTLED   | a sample                                       | SETTLED    | counts as evidence
 * }</pre>
 *
 * @param before the setting that it is compared with
 * @param rateBefore the rate under that one, in events per second
 * @param unsettled the number of samples that did not count
 */
record Trial(int before, double rateBefore, boolean isSettled, int unsettled, Evidence evidence) {

    /** The number of samples without any event done after which it counts as settled. */
    private static final int MAX_UNSETTLED = 10;

    /** The share of the rate before below which a trial is not continued. */
    private static final double HOPELESS_SHARE = 0.7;

    private static final int ENOUGH_SAMPLES = 2;

    static Trial against(int before, double rateBefore) {
        return new Trial(before, rateBefore, false, 0, Evidence.NONE);
    }

    Trial and(Sample sample) {
        if (isSettled) {
            return new Trial(before, rateBefore, true, unsettled, evidence.and(sample));
        }
        boolean settles = sample.done() > 0 || unsettled + 1 == MAX_UNSETTLED;
        return new Trial(before, rateBefore, settles, unsettled + 1, evidence);
    }

    /** Returns whether it is so much worse that more samples would cost throughput for nothing. */
    boolean isHopeless() {
        return evidence.samples() >= ENOUGH_SAMPLES && evidence.perSecond() < HOPELESS_SHARE * rateBefore;
    }
}
