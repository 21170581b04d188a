package io.taskmaster.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.error.ErrorCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RetryBudgetTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final RetryBudget budget = new RetryBudget(0.1, 0);

    @Test
    void burstIsThereAtFirst() {
        assertThat(spent(0)).isEqualTo(RetryBudget.BURST);
    }

    @Test
    void callsEarnTheirShare() {
        spent(0);
        for (int i = 0; i < 500; i++) {
            budget.called();
        }
        assertThat(spent(0)).isEqualTo(50);
    }

    @Test
    void timeEarnsASmallRate() {
        spent(0);
        assertThat(spent(3 * SECOND)).isEqualTo(3 * RetryBudget.PER_SECOND);
        assertThat(spent(3 * SECOND + SECOND / 20)).isZero();
        assertThat(spent(3 * SECOND + SECOND / 10)).isEqualTo(1);
    }

    @Test
    void nothingGathersBeyondTheBurst() {
        for (int i = 0; i < 10_000; i++) {
            budget.called();
        }
        assertThat(spent(Duration.ofDays(10_000).toNanos())).isEqualTo(RetryBudget.BURST);
    }

    @Test
    void retriesThatNoOverloadedServerSeesAreFree() {
        spent(0);
        assertThat(budget.allows(ErrorCode.NOT_CONNECTED, 0)).isTrue();
        assertThat(budget.allows(ErrorCode.PARTITION_OPENING, 0)).isTrue();
        assertThat(budget.allows(ErrorCode.OUTCOME_UNKNOWN, 0)).isTrue();
        assertThat(budget.allows(ErrorCode.DEADLINE_EXCEEDED, 0)).isFalse();
    }

    private int spent(long nowNanos) {
        int retries = 0;
        while (budget.allows(ErrorCode.OVERLOADED, nowNanos)) {
            retries++;
        }
        return retries;
    }
}
