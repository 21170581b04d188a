package io.taskmaster.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.server.store.StoreException.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class RetryUntilReadyTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final Queue<Outcome> failures = new ArrayDeque<>();

    @Test
    void whatIsRefusedOrUnknownIsTriedAgain() {
        failures.addAll(List.of(Outcome.REFUSED, Outcome.UNKNOWN));

        assertThat(RetryUntilReady.on(this::operation, LONG))
                .succeedsWithin(LONG)
                .isEqualTo("done");
    }

    @Test
    void whatCannotBeMendedByTryingFailsAtOnce() {
        failures.addAll(List.of(Outcome.REFUSED, Outcome.CORRUPT, Outcome.REFUSED));

        assertThat(RetryUntilReady.on(this::operation, LONG))
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(StoreException.class);
        assertThat(failures).hasSize(1);
    }

    @Test
    void whoHasNoTimeTriesOnce() {
        failures.addAll(List.of(Outcome.REFUSED, Outcome.UNKNOWN));

        assertThat(RetryUntilReady.on(this::operation, Duration.ZERO))
                .failsWithin(LONG)
                .withThrowableThat()
                .withMessageContaining("REFUSED");
        assertThat(failures).hasSize(1);
    }

    private CompletableFuture<String> operation() {
        Outcome failure = failures.poll();
        return failure == null
                ? CompletableFuture.completedFuture("done")
                : CompletableFuture.failedFuture(new StoreException(failure, failure.name(), null));
    }
}
