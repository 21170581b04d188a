package io.taskmaster.simulation.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.simulation.world.Rule;
import io.taskmaster.simulation.world.Scenario;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.tests.Profile;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real partition in simulated worlds. {@code -Dsimulation.seeds=N} tries so many worlds; {@code -Dsimulation.seed=N} begins
 * with that one, so that a single world is replayed with both, and a failure tells its story.
 */
final class PartitionSimulationTest {

    private static final long FIRST_SEED = Long.getLong("simulation.seed", 0);
    private static final long SEEDS = Long.getLong("simulation.seeds", 500);

    /** A rule that is taken back shows within so many worlds. */
    private static final long SEEDS_PER_RULE = 2_000;

    /** An owner crashes at every step in the profile {@code slow}, at every third one elsewhere. */
    private static final long STRIDE = Profile.isSlow() ? 1 : 3;

    /** A world in which an owner that lives does not stop at much less than so many steps. */
    private static final long CRASHED_SEED = 4;

    @Test
    void everyAnswerIsExplained() {
        long undecided = LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
                .parallel()
                .filter(seed -> run(seed, Scenario.FAULTY).states() == 0)
                .count();
        System.out.printf(
                "%s: %d worlds from seed %d, %d undecided (%.2f %%)%n",
                getClass().getSimpleName(), SEEDS, FIRST_SEED, undecided, 100.0 * undecided / SEEDS);
        assertThat(undecided).isLessThanOrEqualTo(1 + SEEDS / 250);
    }

    @Test
    void theSameSeedMakesTheSameWorld() {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(PartitionSimulation.run(seed, Scenario.FAULTY, true))
                    .isEqualTo(PartitionSimulation.run(seed, Scenario.FAULTY, true));
        }
    }

    @Test
    void anOwnerMayCrashAtEveryStep() {
        long steps = run(CRASHED_SEED, Scenario.crashing(Map.of())).steps();
        assertThat(steps).isGreaterThan(200);
        for (long step = 0; step < steps; step += STRIDE) {
            run(CRASHED_SEED, Scenario.crashing(Map.of(1, step)));
        }
    }

    @Test
    void itsSuccessorMayCrashAtEveryStepToo() {
        long half = run(CRASHED_SEED, Scenario.crashing(Map.of())).steps() / 2;
        for (long step = 0; step < half; step += STRIDE) {
            run(CRASHED_SEED, Scenario.crashing(Map.of(1, half, 2, step)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void takingBackARuleIsFoundOut(Rule rule) {
        assertThatThrownBy(() -> {
                    for (long seed = 0; seed < SEEDS_PER_RULE; seed++) {
                        PartitionSimulation.run(seed, Scenario.without(rule), false);
                    }
                })
                .isInstanceOf(Violation.class);
    }

    /** Only a world that is out of order is run again, to tell its story. */
    private static PartitionSimulation.Result run(long seed, Scenario scenario) {
        try {
            return PartitionSimulation.run(seed, scenario, false);
        } catch (Violation broken) {
            throw new Violation(replay(seed, scenario) + story(seed, scenario), broken);
        }
    }

    private static String replay(long seed, Scenario scenario) {
        return scenario.equals(Scenario.FAULTY)
                ? "To replay it:\n  mvn test -pl simulation -am -Dtest='PartitionSimulationTest#everyAnswerIsExplained' -Dsimulation.seed="
                        + seed + " -Dsimulation.seeds=1 -Dsurefire.failIfNoSpecifiedTests=false\n"
                : scenario + "\n";
    }

    private static String story(long seed, Scenario scenario) {
        try {
            PartitionSimulation.run(seed, scenario, true);
            return "seed " + seed + " is out of order only if nobody looks";
        } catch (Violation told) {
            return String.valueOf(told.getMessage());
        }
    }
}
