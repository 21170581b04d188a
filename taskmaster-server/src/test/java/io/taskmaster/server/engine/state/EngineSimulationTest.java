package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Random commands against the engine and against the naive model. A failure names the seed that replays it.
 * {@code -Dengine.seeds=N} runs more of them.
 */
final class EngineSimulationTest {

    private static final int SEEDS = Integer.getInteger("engine.seeds", 150);
    private static final int STEPS = 400;

    @Test
    void inMemoryEveryReplyIsThatOfTheModel() {
        assertThat(decided(false)).isGreaterThan(SEEDS * STEPS / 2);
    }

    @Test
    void overRowsEveryReplyIsThatOfTheModelAndRecoveryFindsWhatWas() {
        assertThat(decided(true)).isGreaterThan(SEEDS * STEPS / 5);
    }

    private static int decided(boolean withStore) {
        int decided = 0;
        for (long seed = Integer.getInteger("engine.seed", 1); seed <= SEEDS; seed++) {
            EngineSimulation simulation = new EngineSimulation(seed, withStore);
            try {
                simulation.run(STEPS);
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError(
                        "seed " + seed + (withStore ? " with" : " without") + " store: " + failure.getMessage(),
                        failure);
            }
            decided += simulation.decided();
        }
        return decided;
    }
}
