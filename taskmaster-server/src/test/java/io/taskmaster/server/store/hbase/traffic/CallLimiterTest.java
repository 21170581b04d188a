package io.taskmaster.server.store.hbase.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class CallLimiterTest {

    private final CallLimiter callLimiter = new CallLimiter(2, 1);
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
            CompletableFuture<String> outcome = callLimiter.pass(0, () -> {
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

    @Test
    void laneThatHangsDoesNotHoldUpAnother() {
        CallLimiter lanes = new CallLimiter(100, 2);
        for (int i = 0; i < 1_000; i++) {
            assertThat(pass(lanes, 0, "hangs", new CompletableFuture<>())).isNotDone();
        }
        assertThat(out).hasSize(75);

        for (int i = 0; i < 1_000; i++) {
            assertThat(pass(lanes, 1, "healthy", CompletableFuture.completedFuture("done")))
                    .isCompletedWithValue("done");
        }
    }

    @Test
    void lanesThatWaitForWhatAllShareTakeTurns() {
        CallLimiter lanes = new CallLimiter(6, 3);
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        pass(lanes, 0, "0", first);
        pass(lanes, 0, "0", second);
        pass(lanes, 0, "0", new CompletableFuture<>());
        pass(lanes, 0, "0", new CompletableFuture<>());
        for (int i = 0; i < 3; i++) {
            pass(lanes, 1, "1", new CompletableFuture<>());
            pass(lanes, 2, "2", new CompletableFuture<>());
        }
        assertThat(out).containsExactly("0", "0", "0", "0", "1", "2");

        first.complete("");
        second.complete("");
        assertThat(out).containsExactly("0", "0", "0", "0", "1", "2", "1", "2");
    }

    private CompletableFuture<String> pass(String name, CompletableFuture<String> answer) {
        return pass(callLimiter, 0, name, answer);
    }

    @CanIgnoreReturnValue
    private CompletableFuture<String> pass(
            CallLimiter through, int lane, String name, CompletableFuture<String> answer) {
        return through.pass(lane, () -> {
            out.add(name);
            return answer;
        });
    }
}
