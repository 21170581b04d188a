package io.taskmaster.stage.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class BatchingTest {

    private static final int MAX = 1_000;
    private static final int CAPACITY = 4_000;

    /** Returns the time of a batch: ten milliseconds for up to 64 events, and in proportion beyond. */
    private static double tenMillisForSixtyFour(int count) {
        return 0.010 * Math.max(1, count / 64.0);
    }

    private static ModelStage stage(double arrivals, double later, long seed) {
        return new ModelStage(
                now -> now < 30 ? arrivals : later,
                (_, _, count, _) -> tenMillisForSixtyFour(count),
                CAPACITY,
                ModelStage.fixed(1),
                Controller.batching(1, MAX),
                seed);
    }

    @Test
    void itFindsTheSmallestBatchThatGetsAsMuchDone() {
        for (long seed : List.of(1L, 2L, 3L)) {
            ModelStage stage = stage(12_000, 12_000, seed);
            double _ = stage.run(20);
            double rate = stage.run(30);

            assertThat(rate).as("events in a second, seed %d", seed).isGreaterThan(0.95 * 6_400);
            assertThat(stage.batchPerStep.stream().sorted().toList().get(stage.batchPerStep.size() / 2))
                    .as("median batch, seed %d", seed)
                    .isBetween(60, 100);
        }
    }

    @Test
    void whenTheLoadDropsBatchesAreTheLargestAgain() {
        ModelStage stage = stage(12_000, 100, 1);
        double _ = stage.run(30);
        assertThat(stage.batchPerStep.getLast()).isLessThan(200);

        double _ = stage.run(2);
        assertThat(stage.batchPerStep.getLast()).isEqualTo(MAX);
    }
}
