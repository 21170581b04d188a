package io.taskmaster.stage.control;

/**
 * {@link Controller#batching}. Immutable.
 *
 * <pre>
 * a batch waits behind every batch    -> {@link Climb}, downwards first
 * none does, for CALM samples         -> the largest
 * </pre>
 */
record Batching(Climb climb, int calm) implements Controller {

    /** A smaller batch is kept as long as it gets nearly as much done as the best one did. */
    private static final double FLOOR = 0.97;

    private static final int CALM = 5;

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
        return calm + 1 < CALM
                ? new Batching(climb, calm + 1)
                : new Batching(climb.relieved(climb.range().most(), false), CALM - 1);
    }
}
