package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class TurnstileTest {

    private final Turnstile turnstile = new Turnstile(2);
    private final List<String> out = new ArrayList<>();

    @Test
    void noMoreAreOutThanTheLimitAndOthersGoInTheirOrder() {
        CompletableFuture<String> a = new CompletableFuture<>();
        CompletableFuture<String> b = new CompletableFuture<>();
        CompletableFuture<String> outcome = pass("a", a);
        CompletableFuture<String> fails = pass("b", b);
        CompletableFuture<String> waited = pass("c", new CompletableFuture<>());
        CompletableFuture<String> last = pass("d", new CompletableFuture<>());
        assertThat(out).containsExactly("a", "b");

        a.complete("A");
        assertThat(outcome).isCompletedWithValue("A");
        assertThat(out).containsExactly("a", "b", "c");
        assertThat(waited).isNotDone();

        b.completeExceptionally(new IllegalStateException("b"));
        assertThat(fails).isCompletedExceptionally();
        assertThat(out).containsExactly("a", "b", "c", "d");
        assertThat(last).isNotDone();
    }

    @Test
    void callThatCannotBeginMakesWayForOthers() {
        for (int i = 0; i < 5; i++) {
            CompletableFuture<String> outcome = turnstile.pass(() -> {
                throw new IllegalStateException("cannot begin");
            });
            assertThat(outcome)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .havingCause()
                    .withMessage("cannot begin");
        }
        assertThat(pass("a", CompletableFuture.completedFuture("A"))).isCompletedWithValue("A");
    }

    private CompletableFuture<String> pass(String name, CompletableFuture<String> answer) {
        return turnstile.pass(() -> {
            out.add(name);
            return answer;
        });
    }
}
