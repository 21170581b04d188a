package io.taskmaster.stage.control;

import org.jspecify.annotations.Nullable;

/**
 * A sum of samples under one setting, collected until they show its rate well enough. Immutable.
 *
 * @param sum null: no samples
 */
record Evidence(@Nullable Sample sum, int samples) {

    static final Evidence NONE = new Evidence(null, 0);

    private static final int MIN_SAMPLES = 2;
    private static final int MAX_SAMPLES = 10;

    /** The most samples for a large step, whose effect is seen sooner. */
    private static final int MAX_SAMPLES_OF_LARGE_STEP = 5;

    /** The number of events that shows the rate of evenly working handlers to a few percent. */
    private static final long ENOUGH_EVENTS = 400;

    Evidence and(Sample sample) {
        return new Evidence(sum == null ? sample : sum.then(sample), samples + 1);
    }

    /**
     * Returns whether there is enough evidence.
     *
     * @param isLarge whether it is for a large step
     */
    boolean isEnough(boolean isLarge) {
        int maxSamples = isLarge ? MAX_SAMPLES_OF_LARGE_STEP : MAX_SAMPLES;
        return samples >= maxSamples || (samples >= MIN_SAMPLES && sum != null && sum.done() >= ENOUGH_EVENTS);
    }

    double perSecond() {
        return sum == null ? 0 : sum.perSecond();
    }

    /**
     * The number of workers that were busy.
     *
     * @param atWork the number that are at work now, which counts if handlers take so long that hardly any has ended
     */
    double busy(int atWork) {
        return sum == null || sum.done() < atWork ? atWork : sum.busy();
    }
}
