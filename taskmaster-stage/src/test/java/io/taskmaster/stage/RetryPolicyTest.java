package io.taskmaster.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RetryPolicyTest {

    private static final RetryPolicy POLICY = RetryPolicy.DEFAULT.delays(Duration.ofSeconds(1), Duration.ofSeconds(60));

    @Test
    void delaysDoubleUpToTheLongestAndAreSpreadFromZero() {
        SplittableRandom random = new SplittableRandom(1);
        for (int attempt = 1; attempt <= 100; attempt++) {
            int number = attempt;
            Duration maxDelay = Duration.ofSeconds(attempt > 6 ? 60 : 1L << (attempt - 1));
            long[] delays = IntStream.range(0, 1_000)
                    .mapToLong(_ -> POLICY.delay(number, random).toNanos())
                    .sorted()
                    .toArray();
            assertThat(delays[0]).isBetween(0L, maxDelay.toNanos() / 50);
            assertThat(delays[999]).isBetween(maxDelay.toNanos() / 50 * 49, maxDelay.toNanos());
        }
    }

    @Test
    void longestDelaysDoNotOverflow() {
        RetryPolicy years = POLICY.delays(Duration.ofDays(1_000), Outcome.Retry.MAX_DELAY);
        assertThat(years.delay(1_000, new SplittableRandom(1))).isBetween(Duration.ZERO, Outcome.Retry.MAX_DELAY);
        assertThat(years.delayOverBudget(new SplittableRandom(1)))
                .isBetween(Outcome.Retry.MAX_DELAY.dividedBy(2), Outcome.Retry.MAX_DELAY);
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> POLICY.maxAttempts(0)).hasMessageContaining("maxAttempts: 0");
        assertThatThrownBy(() -> POLICY.budget(Double.NaN)).hasMessageContaining("budget: NaN");
        assertThatThrownBy(() -> POLICY.delays(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("firstDelay, maxDelay: PT2S, PT1S");
    }
}
