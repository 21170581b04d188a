package io.taskmaster.proxy.rpc.scatter;

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
    private final Map<String, CompletableFuture<String>> running = new LinkedHashMap<>();

    private final QueryLimiter<String, String> queryLimiter = new QueryLimiter<>(2, 4, question -> {
        CompletableFuture<String> answer = new CompletableFuture<>();
        running.put(question, answer);
        return answer;
    });

    @Test
    void aFewAreUnderWayAndOthersWaitTheirTurn() {
        CompletableFuture<String> first = queryLimiter.query("a");
        CompletableFuture<String> second = queryLimiter.query("b");
        CompletableFuture<String> third = queryLimiter.query("c");
        CompletableFuture<String> fourth = queryLimiter.query("d");
        assertThat(running).containsOnlyKeys("a", "b");

        answer("b");
        assertThat(second).isCompletedWithValue("answer to b");
        assertThat(running).containsOnlyKeys("a", "c");
        answer("c");
        answer("a");
        assertThat(running).containsOnlyKeys("d");
        answer("d");
        assertThat(first).isCompletedWithValue("answer to a");
        assertThat(third).isCompletedWithValue("answer to c");
        assertThat(fourth).isCompletedWithValue("answer to d");
    }

    @Test
    void theSameQuestionIsAnsweredOnceForAllWhoAskItMeanwhile() {
        alsoAsk("a", "b");
        CompletableFuture<String> waiting = queryLimiter.query("c");
        assertThat(queryLimiter.query("c")).isSameAs(waiting);
        CompletableFuture<String> shared = queryLimiter.query("a");
        answer("a");
        assertThat(shared).isCompletedWithValue("answer to a");

        assertThat(queryLimiter.query("a")).as("asked anew").isNotDone();
        answer("c");
        assertThat(running).containsOnlyKeys("b", "a");
    }

    @Test
    void whoComesWhereTooManyWaitIsRefusedUntilOneIsAnswered() {
        alsoAsk("a", "b", "c", "d");
        assertThatThrownBy(() -> queryLimiter.query("e"))
                .asInstanceOf(InstanceOfAssertFactories.type(TaskMasterException.class))
                .satisfies(refusal -> {
                    assertThat(refusal.code()).isEqualTo(ErrorCode.OVERLOADED);
                    assertThat(refusal.retryAfter()).isPresent();
                });
        assertThat(queryLimiter.query("d")).as("costs nothing more").isNotDone();

        answer("a");
        assertThat(queryLimiter.query("e")).isNotDone();
    }

    @Test
    void aFailureIsAnAnswer() {
        CompletableFuture<String> first = queryLimiter.query("a");
        alsoAsk("b", "c");
        IllegalStateException broken = new IllegalStateException();
        Objects.requireNonNull(running.remove("a")).completeExceptionally(broken);

        assertThat(first).isCompletedExceptionally();
        assertThat(running).containsOnlyKeys("b", "c");
    }

    @Test
    void answersThatAreThereAtOnceAreGivenAtOnce() {
        QueryLimiter<Integer, Integer> fast = new QueryLimiter<>(1, 2, CompletableFuture::completedFuture);
        for (int i = 0; i < 10; i++) {
            assertThat(fast.query(i)).isCompletedWithValue(i);
        }
    }

    /** Asks questions whose answers do not matter. */
    private void alsoAsk(String... questions) {
        for (String question : questions) {
            var _ = queryLimiter.query(question);
        }
    }

    private void answer(String question) {
        Objects.requireNonNull(running.remove(question)).complete("answer to " + question);
    }
}
