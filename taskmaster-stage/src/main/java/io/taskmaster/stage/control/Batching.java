package io.taskmaster.stage.control;

/**
 * The controller of {@link Controller#batching}. Immutable.
 *
 * <pre>{@code
 * sample                                     | setting
 * a batch or more waits                      | a climb is pressed: smaller batches are tried first
 * less than a batch waits, fewer than CALM   | unchanged
 * less than a batch waits, the CALMth time   | the largest batch
 * }</pre>
 */
record Batching(Climb climb, int calmSamples) implements Controller {

    /** The share of the best rate that a smaller batch has to reach to be kept. */
    private static final double FLOOR = 0.97;

    private static final int CALM_SAMPLES = 5;

    static Batching of(Range range) {
        return new Batching(Climb.from(range, FLOOR, range.most(), false), 0);
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
        if (sample.waiting() >= setting()) {
            return new Batching(climb.pressed(sample.whileBusy()), 0);
        }
        return calmSamples + 1 < CALM_SAMPLES
                ? new Batching(climb, calmSamples + 1)
                : new Batching(climb.relieved(climb.range().most(), false), CALM_SAMPLES - 1);
    }
}
