package io.taskmaster.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TaskMasterExceptionTest {

    @Test
    void exceptionTellsItsCodeAndWhenToComeBack() {
        TaskMasterException error = new TaskMasterException(ErrorCode.OVERLOADED, "busy", Duration.ofSeconds(1), null);
        assertThat(error.code().advice()).isEqualTo(ErrorCode.Advice.RETRY_LATER);
        assertThat(error.retryAfter()).contains(Duration.ofSeconds(1));
        assertThat(error).hasMessage("busy").hasNoCause();
        assertThat(error.getStackTrace()).isNotEmpty();
    }

    @Test
    void exceptionForTheWireHasNoStackTrace() {
        IllegalStateException cause = new IllegalStateException();
        TaskMasterException error = TaskMasterException.withoutStackTrace(ErrorCode.INTERNAL, "broken", null, cause);
        assertThat(error.getStackTrace()).isEmpty();
        assertThat(error).hasCause(cause);
        assertThat(error.retryAfter()).isEmpty();
    }
}
