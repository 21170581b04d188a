package io.taskmaster.testkit.pipeline;

import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * A runner of tests with many seeds, one after the other, which names the first seed that fails.
 * {@code -Dtaskmaster.seed=N} runs a test with that seed only. Stateless.
 */
public final class Seeds {

    /** The system property with the only seed to run. */
    public static final String PROPERTY = "taskmaster.seed";

    private Seeds() {}

    /** Returns whether a single seed is run: then effects that show only over many runs are not to be expected. */
    public static boolean isOne() {
        return Long.getLong(PROPERTY) != null;
    }

    /**
     * Runs a test with the seeds from 0 on.
     *
     * @throws AssertionError with the seed, if the test fails with it
     */
    public static void each(int count, LongConsumer test) {
        Long only = Long.getLong(PROPERTY);
        LongStream seeds = only == null ? LongStream.range(0, count) : LongStream.of(only);
        seeds.forEach(seed -> run(seed, test));
    }

    @SuppressWarnings("CatchingUnchecked") // Whatever a test fails with, its seed is named.
    private static void run(long seed, LongConsumer test) {
        try {
            test.accept(seed);
        } catch (RuntimeException | Error failed) {
            throw new AssertionError(
                    "seed %d (-D%s=%d runs it alone): %s".formatted(seed, PROPERTY, seed, failed), failed);
        }
    }
}
