package io.taskmaster.server.store.hbase.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class CallsInFlightTest {

    private final CallsInFlight callsInFlight = flights(1);

    @Test
    void whatIsTooMuchTogetherIsRefusedUntilSomethingHasLanded() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> flying = callsInFlight.launch(0, 60, () -> first);

        assertEnds(
                launch(41),
                Outcome.REFUSED,
                "store: bytes in flight: no capacity for 41 more (expected: at most 100 in total, divided among the partitions)");
        assertThat(launch(40)).isCompletedWithValue("landed");

        first.complete("first");
        assertThat(flying).isCompletedWithValue("first");
        assertThat(launch(100)).isCompletedWithValue("landed");
    }

    @Test
    void noOperationBeginsAfterClosing() throws InterruptedException {
        for (int round = 0; round < 2_000; round++) {
            CallsInFlight calls = flights(1);
            AtomicBoolean closed = new AtomicBoolean();
            AtomicInteger late = new AtomicInteger();
            Thread launching = Thread.ofPlatform().start(() -> {
                boolean isOpen = true;
                while (isOpen) {
                    isOpen = !calls.launch(0, 1, () -> {
                                late.addAndGet(closed.get() ? 1 : 0);
                                return CompletableFuture.completedFuture("landed");
                            })
                            .isCompletedExceptionally();
                }
            });
            calls.close(Duration.ofMinutes(1));
            closed.set(true);
            launching.join();
            assertThat(late).as("round %d", round).hasValue(0);
        }
    }

    @Test
    void oneAloneMayBeHeavierThanTheLimit() {
        assertThat(launch(1_000)).isCompletedWithValue("landed");
    }

    @Test
    void laneThatHangsDoesNotTakeTheShareOfAnother() {
        CallsInFlight lanes = flights(2);
        assertThat(lanes.launch(0, 75, CompletableFuture::new)).isNotDone();
        assertThat(lanes.launch(0, 1, CompletableFuture::new)).isCompletedExceptionally();

        assertThat(lanes.launch(1, 25, () -> CompletableFuture.completedFuture("landed")))
                .isCompletedWithValue("landed");
    }

    @Test
    void failureIsToldInOurTermsAndTakesItsWeightAlong() {
        assertEnds(
                callsInFlight.launch(0, 100, () -> CompletableFuture.failedFuture(new IOException("reset"))),
                Outcome.UNKNOWN,
                "write: reset");
        assertEnds(
                callsInFlight.launch(0, 100, () -> {
                    throw new IllegalStateException("cannot begin");
                }),
                Outcome.UNKNOWN,
                "write: cannot begin");
        assertThat(launch(100)).isCompletedWithValue("landed");
    }

    @Test
    void closedRefusesAndEndsWhatDoesNotLand() {
        CompletableFuture<String> flying = callsInFlight.launch(0, 1, CompletableFuture::new);

        callsInFlight.close(Duration.ofMillis(1));

        assertEnds(flying, Outcome.UNKNOWN, "store: closed before it replied");
        assertEnds(launch(1), Outcome.REFUSED, "store: closed");
    }

    private static CallsInFlight flights(int lanes) {
        return new CallsInFlight(
                "bytes",
                100,
                lanes,
                failure -> new StoreException(Outcome.UNKNOWN, "write: " + failure.getMessage(), failure));
    }

    private CompletableFuture<String> launch(long weight) {
        return callsInFlight.launch(0, weight, () -> CompletableFuture.completedFuture("landed"));
    }

    private static void assertEnds(CompletableFuture<?> operation, Outcome outcome, String message) {
        assertThat(operation)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class,
                        failure -> assertThat(failure.outcome()).isEqualTo(outcome))
                .withMessage(message);
    }
}
