package io.taskmaster.stage.control;

import org.jspecify.annotations.Nullable;

/**
 * Samples under one setting, until they tell its rate well enough. Immutable.
 *
 * @param sum null: none
 */
record Evidence(@Nullable Sample sum, int samples) {

    static final Evidence NONE = new Evidence(null, 0);

    private static final int LEAST_SAMPLES = 2;
    private static final int MOST_SAMPLES = 10;

    /** What makes a large difference is seen sooner. */
    private static final int MOST_SAMPLES_OF_LARGE_STEP = 5;

    /** Of evenly working handlers, so many tell the rate to a few percent. */
    private static final long ENOUGH_EVENTS = 400;

    Evidence and(Sample sample) {
        return new Evidence(sum == null ? sample : sum.then(sample), samples + 1);
    }

    /**
     * @param isLarge whether it is for a large step
     */
    boolean isEnough(boolean isLarge) {
        int most = isLarge ? MOST_SAMPLES_OF_LARGE_STEP : MOST_SAMPLES;
        return samples >= most || (samples >= LEAST_SAMPLES && sum != null && sum.done() >= ENOUGH_EVENTS);
    }

    double perSecond() {
        return sum == null ? 0 : sum.perSecond();
    }

    /**
     * How many workers were busy.
     *
     * @param atWork how many are now: what counts if handlers take so long that hardly any ended
     */
    double busy(int atWork) {
        return sum == null || sum.done() < atWork ? atWork : sum.busy();
    }
}
