package io.taskmaster.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of loads that need no connection. */
class ClosedLoopTest {

    private static final int OPERATIONS = 100;
    private static final Timing BRIEF = new Timing(Duration.ZERO, Duration.ofMillis(100));

    @Test
    void whatEndsAtOnceIsFollowedByTheNextForTheWholeTime() throws InterruptedException {
        Measurement measurement = ClosedLoop.run(
                3,
                BRIEF,
                slot -> slot.when(CompletableFuture.completedFuture(5), slot::succeeded, _ -> slot.failed("wrong")));
        assertThat(measurement.errors()).isEmpty();
        assertThat(measurement.tasks()).isEqualTo(5 * measurement.operations());
        assertThat(measurement.length()).isEqualTo(BRIEF.measured());
    }

    @Test
    void whatFailsIsCountedAndFollowedByTheNext() throws InterruptedException {
        AtomicInteger begun = new AtomicInteger();
        Measurement measurement = ClosedLoop.run(1, Timing.UNTIL_EXHAUSTED, slot -> {
            int number = begun.getAndIncrement();
            if (number == OPERATIONS) {
                slot.onExhausted();
            } else {
                slot.when(
                        number < 3
                                ? CompletableFuture.failedFuture(new IllegalStateException("busy"))
                                : CompletableFuture.completedFuture(1),
                        slot::succeeded,
                        failure -> slot.failed(String.valueOf(failure.getMessage())));
            }
        });
        assertThat(measurement.errors()).containsOnlyKeys("busy").containsEntry("busy", 3L);
        assertThat(measurement.operations()).isEqualTo(OPERATIONS - 3);
    }

    @Test
    void neverMoreAreUnderWayThanAsked() throws InterruptedException {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger maxInFlight = new AtomicInteger();
        AtomicInteger begun = new AtomicInteger();
        Measurement measurement = ClosedLoop.run(4, Timing.UNTIL_EXHAUSTED, slot -> {
            if (begun.getAndIncrement() >= OPERATIONS) {
                slot.onExhausted();
                return;
            }
            maxInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            slot.when(
                    CompletableFuture.supplyAsync(inFlight::decrementAndGet),
                    _ -> slot.succeeded(1),
                    failure -> slot.failed(failure.toString()));
        });
        assertThat(measurement.errors()).isEmpty();
        assertThat(maxInFlight).hasValueBetween(1, 4);
    }
}
