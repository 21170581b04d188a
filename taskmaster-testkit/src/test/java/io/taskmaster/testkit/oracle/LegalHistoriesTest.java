package io.taskmaster.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import org.junit.jupiter.api.Test;

/**
 * A test against false alarms: a service that keeps its promises is never found to break one. {@code -Doracle.seeds=N}
 * sets the number of histories.
 */
final class LegalHistoriesTest {

    private static final int SEEDS = Integer.getInteger("oracle.seeds", 1_500);
    private static final long FIRST_SEED = Long.getLong("oracle.seed", 0);

    @Test
    void aServiceThatKeepsItsPromisesIsNeverAccused() {
        long tasks = 0;
        long undecided = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            boolean drained = seed % 2 == 0;
            History history = RandomHistories.history(seed, Bug.NONE, 20 + (int) (seed % 150), drained);

            OracleVerdict verdict = Oracle.judge(history, RandomHistories.settings(drained));

            assertThat(verdict.findings()).as("seed %d: %s", seed, verdict).isEmpty();
            tasks += verdict.checked().tasks();
            undecided += verdict.checked().undecided();
        }
        assertThat(undecided).as("undecided of %d", tasks).isLessThan(tasks / 100);
    }
}
