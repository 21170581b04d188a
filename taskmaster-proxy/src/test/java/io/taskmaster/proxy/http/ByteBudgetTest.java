package io.taskmaster.proxy.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import org.junit.jupiter.api.Test;

final class ByteBudgetTest {

    private final ByteBudget budget = new ByteBudget(100);

    @Test
    void whatIsOverItIsRefusedAndWhatIsGivenBackMakesRoom() {
        try (ByteBudget.Share first = budget.share()) {
            first.acquire(60);
            try (ByteBudget.Share second = budget.share()) {
                assertThatThrownBy(() -> second.acquire(60))
                        .isInstanceOfSatisfying(TaskMasterException.class, refusal -> {
                            assertThat(refusal.code()).isEqualTo(ErrorCode.OVERLOADED);
                            assertThat(refusal.retryAfter()).isPresent();
                        });
            }
            assertThat(budget.held()).isEqualTo(60);
        }
        assertThat(budget.held()).isZero();
    }

    @Test
    void aReplyIsNeverRefusedButCountsAgainstThoseWhoComeLater() {
        try (ByteBudget.Share answered = budget.share()) {
            answered.acquireForReply(500);
            try (ByteBudget.Share later = budget.share()) {
                assertThatThrownBy(() -> later.acquire(1)).isInstanceOf(TaskMasterException.class);
            }
        }
        assertThat(budget.held()).isZero();
    }
}
