package io.taskmaster.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import io.taskmaster.testkit.oracle.verdict.Promise;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A test of the oracle's power: every bug of the service is found, as a violation of the promise that it breaks. */
final class BuggyServiceTest {

    private static final int SEEDS = Integer.getInteger("oracle.seeds", 60);

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aBugIsFoundAsThePromiseThatItBreaks(Bug bug) {
        Map<Promise, Integer> seen = new EnumMap<>(Promise.class);
        int caught = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            boolean drained = seed % 2 == 0;
            OracleVerdict verdict =
                    Oracle.judge(RandomHistories.history(seed, bug, 120, drained), RandomHistories.settings(drained));
            verdict.broken().forEach(promise -> seen.merge(promise, 1, Integer::sum));
            caught += verdict.isClean() ? 0 : 1;
        }
        assertThat(seen).as("%s: %d of %d", bug, caught, SEEDS).containsKey(bug.promise());
    }
}
