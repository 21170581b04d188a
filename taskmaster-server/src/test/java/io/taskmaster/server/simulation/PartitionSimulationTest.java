package io.taskmaster.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The real partition in simulated worlds. {@code -Dsimulation.seed=N} replays one world, and prints what happened in it;
 * {@code -Dsimulation.seeds=N} tries so many.
 */
final class PartitionSimulationTest {

    private static final int SEEDS = Integer.getInteger("simulation.seeds", 500);
    private static final Optional<Long> SEED = Optional.ofNullable(Long.getLong("simulation.seed"));

    /** A rule that is taken back shows within so many worlds. */
    private static final int SEEDS_PER_RULE = 2_000;

    @Test
    void everyAnswerIsExplained() {
        int undecided = 0;
        long answers = 0;
        for (long seed : SEED.map(LongStream::of)
                .orElseGet(() -> LongStream.range(0, SEEDS))
                .toArray()) {
            Simulation.Result result = run(seed, Optional.empty());
            answers += result.answers();
            undecided += result.states() == 0 ? 1 : 0;
        }
        assertThat(undecided).isLessThanOrEqualTo(SEEDS / 50);
        assertThat(answers).isPositive();
    }

    @Test
    void theSameSeedMakesTheSameWorld() {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(Simulation.run(seed, PartitionOwner::factory, Optional.empty(), true))
                    .isEqualTo(Simulation.run(seed, PartitionOwner::factory, Optional.empty(), true));
        }
    }

    @ParameterizedTest
    @EnumSource
    void takingBackARuleIsFoundOut(Rule rule) {
        for (long seed = 0; seed < SEEDS_PER_RULE; seed++) {
            try {
                run(seed, Optional.of(rule));
            } catch (Violation caught) {
                System.out.println(rule + " at seed " + seed + ": "
                        + String.valueOf(caught.getMessage()).lines().limit(1).toList());
                return;
            }
        }
        throw new AssertionError(rule + ": not missed in " + SEEDS_PER_RULE + " worlds");
    }

    /** Most worlds are in order, so only a broken one is run again to tell its story. */
    private static Simulation.Result run(long seed, Optional<Rule> takenBack) {
        try {
            return Simulation.run(seed, PartitionOwner::factory, takenBack, SEED.isPresent());
        } catch (Violation broken) {
            throw broken;
        }
    }
}
