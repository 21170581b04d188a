package io.taskmaster.cli.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.taskmaster.client.Flow;
import io.taskmaster.client.Flow.Family;
import io.taskmaster.client.Flow.HandOffs;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of rates between two samples of the flow. */
final class FlowRatesTest {

    private static final FamilyName A = name("a");
    private static final FamilyName B = name("b");

    @Test
    void ratesAreWhatHappenedInBetween() {
        FlowRates rates = new FlowRates(
                flow(0, family(A, 0, 100, 10, 50)), flow(2_000, family(A, 0, 300, 10, 60), family(B, 0, 40, 0, 0)));
        assertThat(rates.enqueuedPerSecond(rates.families().get(0))).isCloseTo(100, within(1e-9));
        assertThat(rates.dequeuedPerSecond(rates.families().get(0))).isCloseTo(5, within(1e-9));
        assertThat(rates.enqueuedPerSecond(rates.families().get(1))).as("new").isCloseTo(20, within(1e-9));
    }

    @Test
    void countsThatBeganAnewAreNoNews() {
        FlowRates rates = new FlowRates(flow(0, family(A, 0, 100, 0, 0)), flow(1_000, family(A, 0, 30, 0, 0)));
        assertThat(rates.enqueuedPerSecond(rates.families().getFirst())).isZero();
    }

    @Test
    void handOffsComeFastestFirst() {
        Flow before = new Flow(Instant.EPOCH, List.of(), List.of(new HandOffs(A, B, 100)), 0, 0, List.of());
        Flow now = new Flow(
                Instant.ofEpochSecond(10),
                List.of(),
                List.of(new HandOffs(A, B, 110), new HandOffs(B, A, 50)),
                0,
                0,
                List.of());
        FlowRates rates = new FlowRates(before, now);
        assertThat(rates.handOffs()).extracting(HandOffs::from).containsExactly(B, A);
        assertThat(rates.perSecond(rates.handOffs().get(1))).isCloseTo(1, within(1e-9));
    }

    private static Flow flow(long millis, Family... families) {
        return new Flow(Instant.ofEpochMilli(millis), List.of(families), List.of(), 0, 0, List.of());
    }

    private static Family family(FamilyName name, long available, long enqueued, long leases, long dequeued) {
        return new Family(name, 1, available, 0, 0, enqueued, leases, dequeued, 0, 0);
    }

    private static FamilyName name(String name) {
        return new FamilyName(Optional.of(GroupName.EMPTY), Bytes.of(name), false, Bytes.EMPTY);
    }
}
