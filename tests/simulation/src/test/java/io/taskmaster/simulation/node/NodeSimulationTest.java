package io.taskmaster.simulation.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.simulation.world.Scenario;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.tests.Profile;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Tests of whole nodes in simulated runs, on all cores. {@code -Dsimulation.seeds=N} sets the number of runs;
 * {@code -Dsimulation.seed=N} sets the first seed, so that both together replay a single run; likewise
 * {@code simulation.step} and {@code simulation.steps}. A failure prints the command that replays it, and its trace.
 */
final class NodeSimulationTest {

    private static final long FIRST_SEED = Long.getLong("simulation.seed", 0);
    private static final long SEEDS = Long.getLong("simulation.seeds", Profile.isSlow() ? 20_000 : 300);
    private static final long FIRST_STEP = Long.getLong("simulation.step", 0);
    private static final long STEPS = Long.getLong("simulation.steps", Long.MAX_VALUE);

    /**
     * The distance of the steps at which a node crashes: every step in the profile {@code slow}, every third one
     * otherwise.
     */
    private static final long STRIDE = Profile.isSlow() ? 1 : 3;

    /** The seed of a run in which a node with several partitions that does not crash lives for more than 400 steps. */
    private static final long CRASHED_SEED = 14;

    @Test
    void everyAnswerIsExplainedAndEverythingDrains() {
        long undecided = LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
                .parallel()
                .mapToObj(seed -> run(
                        seed,
                        Scenario.FAULTY,
                        "everyAnswerIsExplainedAndEverythingDrains",
                        "-Dsimulation.seed=" + seed + " -Dsimulation.seeds=1"))
                .filter(result -> result.states() == 0)
                .count();
        System.out.printf(
                "%s: %d worlds from seed %d, %d undecided (%.2f %%)%n",
                getClass().getSimpleName(), SEEDS, FIRST_SEED, undecided, 100.0 * undecided / SEEDS);
        assertThat(undecided).isLessThanOrEqualTo(1 + SEEDS / 50);
    }

    @Test
    void theSameSeedMakesTheSameWorld() {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(NodeSimulation.run(seed, Scenario.FAULTY, true))
                    .isEqualTo(NodeSimulation.run(seed, Scenario.FAULTY, true));
        }
    }

    @Test
    void aNodeMayCrashAtEveryStep() {
        long steps = stepsOfTheFirst();
        assertThat(steps).isGreaterThan(400);
        steps(steps).forEach(step -> crash(Map.of(1, step), "aNodeMayCrashAtEveryStep", step));
    }

    @Test
    void itsSuccessorMayCrashAtEveryStepToo() {
        long half = stepsOfTheFirst() / 2;
        steps(half).forEach(step -> crash(Map.of(1, half, 2, step), "itsSuccessorMayCrashAtEveryStepToo", step));
    }

    private static LongStream steps(long steps) {
        return LongStream.range(FIRST_STEP, Math.min(steps, STEPS == Long.MAX_VALUE ? steps : FIRST_STEP + STEPS))
                .filter(step -> (step - FIRST_STEP) % STRIDE == 0)
                .parallel();
    }

    private static long stepsOfTheFirst() {
        return NodeSimulation.run(CRASHED_SEED, Scenario.crashing(Map.of()), false)
                .steps();
    }

    private static void crash(Map<Integer, Long> crashes, String test, long step) {
        run(CRASHED_SEED, Scenario.crashing(crashes), test, "-Dsimulation.step=" + step + " -Dsimulation.steps=1");
    }

    /** Simulates a run. A failing one is repeated, to obtain its trace. */
    private static NodeSimulation.Result run(long seed, Scenario scenario, String test, String kind) {
        try {
            return NodeSimulation.run(seed, scenario, false);
        } catch (Violation broken) {
            String replay = "To replay it:\n  mvn test -pl tests/simulation -am -Dtest='NodeSimulationTest#" + test
                    + "' " + kind + " -Dsurefire.failIfNoSpecifiedTests=false\n";
            throw new Violation(replay + story(seed, scenario), broken);
        }
    }

    private static String story(long seed, Scenario scenario) {
        try {
            NodeSimulation.run(seed, scenario, true);
            return "seed " + seed + " is out of order only if nobody looks";
        } catch (Violation violation) {
            return String.valueOf(violation.getMessage());
        }
    }
}
