package io.taskmaster.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

final class QueryLimiterTest {

    /** The questions in flight, in the order in which they began. */
    private final Map<String, CompletableFuture<String>> underWay = new LinkedHashMap<>();

    private final QueryLimiter<String, String> queryLimiter = new QueryLimiter<>(2, 4, question -> {
        CompletableFuture<String> answer = new CompletableFuture<>();
        underWay.put(question, answer);
        return answer;
    });

    @Test
    void aFewAreUnderWayAndOthersWaitTheirTurn() {
        CompletableFuture<String> first = queryLimiter.ask("a");
        CompletableFuture<String> second = queryLimiter.ask("b");
        CompletableFuture<String> third = queryLimiter.ask("c");
        CompletableFuture<String> fourth = queryLimiter.ask("d");
        assertThat(underWay).containsOnlyKeys("a", "b");

        answer("b");
        assertThat(second).isCompletedWithValue("answer to b");
        assertThat(underWay).containsOnlyKeys("a", "c");
        answer("c");
        answer("a");
        assertThat(underWay).containsOnlyKeys("d");
        answer("d");
        assertThat(first).isCompletedWithValue("answer to a");
        assertThat(third).isCompletedWithValue("answer to c");
        assertThat(fourth).isCompletedWithValue("answer to d");
    }

    @Test
    void theSameQuestionIsAnsweredOnceForAllWhoAskItMeanwhile() {
        alsoAsk("a", "b");
        CompletableFuture<String> waiting = queryLimiter.ask("c");
        assertThat(queryLimiter.ask("c")).isSameAs(waiting);
        CompletableFuture<String> shared = queryLimiter.ask("a");
        answer("a");
        assertThat(shared).isCompletedWithValue("answer to a");

        assertThat(queryLimiter.ask("a")).as("asked anew").isNotDone();
        answer("c");
        assertThat(underWay).containsOnlyKeys("b", "a");
    }

    @Test
    void whoComesWhereTooManyWaitIsRefusedUntilOneIsAnswered() {
        alsoAsk("a", "b", "c", "d");
        assertThatThrownBy(() -> queryLimiter.ask("e"))
                .asInstanceOf(InstanceOfAssertFactories.type(TaskMasterException.class))
                .satisfies(refusal -> {
                    assertThat(refusal.code()).isEqualTo(ErrorCode.OVERLOADED);
                    assertThat(refusal.retryAfter()).isPresent();
                });
        assertThat(queryLimiter.ask("d")).as("costs nothing more").isNotDone();

        answer("a");
        assertThat(queryLimiter.ask("e")).isNotDone();
    }

    @Test
    void aFailureIsAnAnswer() {
        CompletableFuture<String> first = queryLimiter.ask("a");
        alsoAsk("b", "c");
        IllegalStateException broken = new IllegalStateException();
        Objects.requireNonNull(underWay.remove("a")).completeExceptionally(broken);

        assertThat(first).isCompletedExceptionally();
        assertThat(underWay).containsOnlyKeys("b", "c");
    }

    @Test
    void answersThatAreThereAtOnceAreGivenAtOnce() {
        QueryLimiter<Integer, Integer> fast = new QueryLimiter<>(1, 2, CompletableFuture::completedFuture);
        for (int i = 0; i < 10; i++) {
            assertThat(fast.ask(i)).isCompletedWithValue(i);
        }
    }

    /** Asks questions whose answers do not matter. */
    private void alsoAsk(String... questions) {
        for (String question : questions) {
            var _ = queryLimiter.ask(question);
        }
    }

    private void answer(String question) {
        Objects.requireNonNull(underWay.remove(question)).complete("answer to " + question);
    }
}
