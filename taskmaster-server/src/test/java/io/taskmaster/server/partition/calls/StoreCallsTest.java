package io.taskmaster.server.partition.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of retries: the failures that are retried, and the pauses. */
final class StoreCallsTest {

    /** A loop that records the requested delays. */
    private static final class Pauses implements TimedExecutor {

        private final List<Long> millis = new ArrayList<>();
        private final Queue<Runnable> tasks = new ArrayDeque<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void schedule(long delayMillis, Runnable task) {
            millis.add(delayMillis);
            tasks.add(task);
        }

        void run() {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }
    }

    private final Pauses loop = new Pauses();
    private final StoreCalls calls = new StoreCalls(loop, 3);
    private int asked;

    @Test
    void aRefusedWriteIsRepeatedWithGrowingPausesForHalfAMinute() {
        CompletableFuture<Integer> done = calls.retry(() -> failing(Outcome.REFUSED), 1);
        loop.run();

        assertThat(done).isCompletedExceptionally();
        assertThat(loop.millis).startsWith(20L, 40L, 60L).isSorted().endsWith(500L);
        assertThat(loop.millis.stream().mapToLong(Long::longValue).sum()).isBetween(25_000L, 35_000L);
    }

    @Test
    void aWriteOfUnknownOutcomeIsRepeatedAsOftenAsItMayBe() {
        CompletableFuture<Integer> once = calls.retry(() -> failing(Outcome.UNKNOWN), 1);
        loop.run();
        assertThat(asked).isEqualTo(1);
        assertThat(once).isCompletedExceptionally();
    }

    @Test
    void refusalsDoNotCountAgainstTheTriesOfAnUnknownOutcome() {
        Queue<Outcome> outcomes = new ArrayDeque<>(
                List.of(Outcome.REFUSED, Outcome.REFUSED, Outcome.UNKNOWN, Outcome.REFUSED, Outcome.UNKNOWN));
        CompletableFuture<Integer> done = calls.retry(
                () -> outcomes.isEmpty() ? CompletableFuture.completedFuture(7) : failing(outcomes.remove()), 3);
        loop.run();
        assertThat(done).isCompletedWithValue(7);
    }

    @Test
    void aReadIsTriedAFewTimesAndNeverWhenItIsCorrupt() {
        CompletableFuture<Integer> read = calls.attempt(() -> failing(Outcome.REFUSED));
        loop.run();
        assertThat(read).isCompletedExceptionally();
        assertThat(asked).isEqualTo(3);

        CompletableFuture<Integer> corrupt = calls.attempt(() -> failing(Outcome.CORRUPT));
        loop.run();
        assertThat(corrupt).isCompletedExceptionally();
        assertThat(asked).isEqualTo(4);
    }

    @Test
    void outcomesComeBackToTheLoopAndSoDoFailuresToDealWithThem() {
        CompletableFuture<Integer> operation = new CompletableFuture<>();
        calls.deliver(operation, (_, _) -> {
            throw new IllegalStateException("broken");
        });
        operation.complete(1);
        assertThatThrownBy(loop::run).hasMessage("broken");
    }

    private CompletableFuture<Integer> failing(Outcome outcome) {
        asked++;
        return CompletableFuture.failedFuture(new StoreException(outcome, "no", null));
    }
}
