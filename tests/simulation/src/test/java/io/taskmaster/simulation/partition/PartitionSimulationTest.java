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
 * Tests of the real partition in simulated runs. {@code -Dsimulation.seeds=N} sets the number of runs;
 * {@code -Dsimulation.seed=N} sets the first seed, so that both together replay a single run. A failure prints its
 * trace.
 */
final class PartitionSimulationTest {

    private static final long FIRST_SEED = Long.getLong("simulation.seed", 0);
    private static final long SEEDS = Long.getLong("simulation.seeds", Profile.isSlow() ? 500 : 300);

    /** The number of runs within which a suspended rule must show. */
    private static final long SEEDS_PER_RULE = 2_000;

    /**
     * The first run that shows that a rule is suspended, for the rules that few runs depend on. The search begins
     * there; if the code has changed since, it goes on with run 0.
     */
    private static final Map<Rule, Long> SHOWN_BY = Map.of(
            Rule.STAMPS_ARE_COMPARED, 426L,
            Rule.ONLY_COMPLETE_ROUNDS_ARE_BELIEVED, 69L,
            Rule.UNKNOWN_WRITES_END_THE_ROUND, 192L);

    /**
     * The distance of the steps at which an owner crashes: every step in the profile {@code slow}, every third one
     * otherwise.
     */
    private static final long STRIDE = Profile.isSlow() ? 1 : 3;

    /** The seed of a run in which an owner that does not crash lives for more than 200 steps. */
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
        long known = SHOWN_BY.getOrDefault(rule, 0L);
        assertThatThrownBy(() -> LongStream.concat(LongStream.of(known), LongStream.range(0, SEEDS_PER_RULE))
                        .forEach(seed -> PartitionSimulation.run(seed, Scenario.without(rule), false)))
                .isInstanceOf(Violation.class);
    }

    /** Simulates a run. A failing one is repeated, to obtain its trace. */
    private static PartitionSimulation.Result run(long seed, Scenario scenario) {
        try {
            return PartitionSimulation.run(seed, scenario, false);
        } catch (Violation broken) {
            throw new Violation(replay(seed, scenario) + story(seed, scenario), broken);
        }
    }

    private static String replay(long seed, Scenario scenario) {
        return scenario.equals(Scenario.FAULTY)
                ? "To replay it:\n  mvn test -pl tests/simulation -am -Dtest='PartitionSimulationTest#everyAnswerIsExplained' -Dsimulation.seed="
                        + seed + " -Dsimulation.seeds=1 -Dsurefire.failIfNoSpecifiedTests=false\n"
                : scenario + "\n";
    }

    private static String story(long seed, Scenario scenario) {
        try {
            PartitionSimulation.run(seed, scenario, true);
            return "seed " + seed + " is out of order only if nobody looks";
        } catch (Violation violation) {
            return String.valueOf(violation.getMessage());
        }
    }
}
