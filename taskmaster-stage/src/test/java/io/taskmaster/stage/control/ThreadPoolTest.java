package io.taskmaster.stage.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ThreadPoolTest {

    private static final int MAX = 64;
    private static final int CAPACITY = 2_000;
    private static final double WARM_UP_SECONDS = 20;
    private static final double SECONDS = 60;
    private static final double SHARE_OF_BEST = 0.95;
    private static final int PROCESSORS = 2;

    record Workload(String name, DoubleUnaryOperator arrivals, ModelStage.Service service, int capacity) {

        Workload(String name, DoubleUnaryOperator arrivals, ModelStage.Service service) {
            this(name, arrivals, service, CAPACITY);
        }

        @Override
        public String toString() {
            return name;
        }

        double rate(Controller workers, long seed) {
            ModelStage stage = new ModelStage(arrivals, service, capacity, workers, ModelStage.fixed(1), seed);
            double _ = stage.run(WARM_UP_SECONDS);
            return stage.run(SECONDS);
        }
    }

    /**
     * Returns the time of a handler that computes: a millisecond, and longer if there are more workers than processors.
     */
    private static double computing(int atWork) {
        return 0.001 * Math.max(1, (double) atWork / PROCESSORS);
    }

    static Stream<Workload> workloads() {
        return Stream.of(
                new Workload("computing", _ -> 4_000, (_, atWork, _, _) -> computing(atWork)),
                new Workload("blocking for 20 ms", _ -> 4_000, (_, _, _, _) -> 0.020),
                new Workload("behind a short line", _ -> 4_000, (_, _, _, _) -> 0.001, 32),
                new Workload(
                        "mixed",
                        _ -> 4_000,
                        (_, atWork, _, chance) -> chance < 0.5 ? 0.020 : computing(atWork / 2 + 1)),
                new Workload("bursty", now -> now % 4 < 1 ? 3_000 : 200, (_, _, _, _) -> 0.020),
                new Workload(
                        "with a downstream that gets slower, and worse with more than twelve calls at once",
                        _ -> 1_500,
                        (now, atWork, _, _) -> (0.010 + 0.030 * now / (WARM_UP_SECONDS + SECONDS))
                                * Math.max(1, Math.pow(atWork / 12.0, 1.5))));
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void itGetsNearlyAsMuchDoneAsTheBestFixedSetting(Workload workload) {
        for (long seed : List.of(1L, 2L, 3L)) {
            double best = Stream.of(1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, MAX)
                    .mapToDouble(workers -> workload.rate(ModelStage.fixed(workers), seed))
                    .max()
                    .orElseThrow();
            assertThat(workload.rate(Controller.threadPool(1, MAX), seed))
                    .as("events in a second, seed %d, the best fixed setting: %s", seed, best)
                    .isGreaterThan(SHARE_OF_BEST * best);
        }
    }

    /** Reproduces SEDA, "Dealing with Overload": n = 1000/s x 0.15 x 20 ms. */
    @Test
    void thePacketRouterGetsThreeWorkers() {
        ModelStage router = new ModelStage(
                _ -> 1_000,
                (_, _, _, chance) -> chance < 0.15 ? 0.020 : 0,
                CAPACITY,
                Controller.threadPool(1, 20),
                ModelStage.fixed(1),
                1);
        double _ = router.run(WARM_UP_SECONDS);
        double rate = router.run(300);

        assertThat(rate).isBetween(980.0, 1_020.0);
        assertThat(router.workersPerStep).allMatch(workers -> workers <= 5);
        long three = Collections.frequency(router.workersPerStep, 3);
        assertThat(LongStream.of(2, 4, 5).map(other -> Collections.frequency(router.workersPerStep, (int) other)))
                .as("samples with another number than three")
                .allMatch(other -> other < three);
        assertThat(router.responseSeconds(99)).isLessThan(0.5);
    }

    @Test
    void idleWorkersAreLetGo() {
        ModelStage stage = new ModelStage(
                now -> now < 20 ? 2_000 : 100,
                (_, _, _, _) -> 0.020,
                CAPACITY,
                Controller.threadPool(1, MAX),
                ModelStage.fixed(1),
                1);
        double _ = stage.run(20);
        assertThat(stage.workersPerStep.getLast()).isGreaterThanOrEqualTo(36);

        double _ = stage.run(60);
        assertThat(stage.workersPerStep.getLast()).isBetween(2, 4);
    }

    /**
     * Begins with handlers that block for 20 ms, which want all workers, and goes on with ones that compute, which want
     * two.
     */
    @Test
    void workersThatAreOfNoUseAreTakenBack() {
        ModelStage stage = new ModelStage(
                _ -> 4_000,
                (now, atWork, _, _) -> now < 20 ? 0.020 : computing(atWork) * Math.max(1, atWork / 8.0),
                CAPACITY,
                Controller.threadPool(1, MAX),
                ModelStage.fixed(1),
                1);
        double _ = stage.run(20);
        assertThat(stage.workersPerStep.getLast()).isGreaterThan(MAX / 2);
        double _ = stage.run(120);
        assertThat(stage.workersPerStep.getLast()).isLessThanOrEqualTo(10);
    }

    /**
     * Models two processors, on which one worker gets half as much done. Two samples show that, after one that does not
     * count.
     */
    @Test
    void whatCostsMuchIsNotTriedForLong() {
        ModelStage stage = new ModelStage(
                _ -> 4_000,
                (_, atWork, _, _) -> computing(atWork),
                CAPACITY,
                Controller.threadPool(1, MAX),
                ModelStage.fixed(1),
                1);
        double _ = stage.run(10);
        int warm = stage.workersPerStep.size();
        double _ = stage.run(60);
        int inARow = 0;
        for (int workers : stage.workersPerStep.subList(warm, stage.workersPerStep.size())) {
            inARow = workers == 1 ? inARow + 1 : 0;
            assertThat(inARow).as("samples with one worker").isLessThanOrEqualTo(3);
        }
        assertThat(stage.workersPerStep.subList(warm, stage.workersPerStep.size()))
                .contains(1);
    }

    /**
     * Models ten workers for ten events at a time that take half a minute: no handler ends for long, and all are busy.
     */
    @Test
    void workersThatAreBusyForLongAreNotIdle() {
        ModelStage stage = new ModelStage(
                _ -> 0.3, (_, _, _, _) -> 30, CAPACITY, Controller.threadPool(1, MAX), ModelStage.fixed(1), 1);
        double _ = stage.run(600);
        double _ = stage.run(600);
        assertThat(stage.responseSeconds(50)).isLessThan(35);
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> Controller.threadPool(0, 1)).hasMessageContaining("range: 0 to 1");
        assertThatThrownBy(() -> Controller.threadPool(2, 1)).hasMessageContaining("range: 2 to 1");
        assertThatThrownBy(() -> Controller.threadPool(1, 2, Duration.ZERO)).hasMessageContaining("maxWait");
    }
}
