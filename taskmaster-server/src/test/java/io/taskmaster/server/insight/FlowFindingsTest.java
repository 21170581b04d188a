package io.taskmaster.server.insight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.engine.flow.FlowSnapshot.Node;
import io.taskmaster.server.engine.flow.Waits;
import io.taskmaster.server.engine.flow.Waits.Tally;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the findings on families from two snapshots. */
final class FlowFindingsTest {

    private static final long SECOND = 1_000;
    private static final Tally NONE = new Tally(0, 0);

    @Test
    void workPilesUpWhereItWouldTakeLongestToBeDone() {
        FlowSnapshot before = flow(node("a", 0, 0, 10, 0), node("b", 0, 0, 10, 0), node("kept", 0, 0, 0, 0));
        FlowSnapshot now =
                flow(node("a", 1_000, 0, 110, 100), node("b", 500, 0, 20, 10), node("kept", 100_000, 100_000, 0, 0));
        List<FlowFinding> findings = FlowFindings.of(before, now, SECOND);
        assertThat(findings).extracting(FlowFindingsTest::text).containsExactly("BEHIND b 500", "BEHIND a 1000");
        assertThat(findings.getFirst().secondsLeft()).isCloseTo(50, within(1e-9));
    }

    @Test
    void whatNobodyFinishesIsWorst() {
        FlowSnapshot before = flow(node("a", 0, 0, 10, 0), node("b", 0, 0, 10, 0));
        FlowSnapshot now = flow(node("a", 1_000, 0, 11, 1), node("b", 5, 0, 11, 0));
        assertThat(FlowFindings.of(before, now, SECOND))
                .extracting(FlowFindingsTest::text)
                .startsWith("BEHIND b 5");
    }

    @Test
    void whatIsDoneAtOnceIsNoPile() {
        assertThat(FlowFindings.of(flow(node("a", 0, 0, 10, 0)), flow(node("a", 99, 0, 110, 100)), SECOND))
                .isEmpty();
    }

    @Test
    void countsThatBeganAnewAreNoNews() {
        assertThat(FlowFindings.of(flow(node("a", 9, 90, 10, 10)), flow(node("a", 9, 0, 0, 0)), SECOND))
                .isEmpty();
    }

    @Test
    void aStuckQueueDoesNotHideBehindItsBusySiblings() {
        Waits waits = new Waits(new Tally(1, 7), NONE, new Tally(2, 20), Optional.of(QueueKey.of("a/3")));
        Node busy = new Node(A, 9, 127, 3, 0, 1_000, 1_000, 1_000, 0, 0, waits);
        List<FlowFinding> findings = FlowFindings.of(flow(node("a", 0, 0, 0, 990)), flow(busy), SECOND);
        assertThat(findings)
                .extracting(FlowFindingsTest::text)
                .containsExactly("STUCK a 7", "BEHIND a 100", "KEPT a 20");
        assertThat(findings.getFirst().queue()).hasValue(QueueKey.of("a/3"));
    }

    @Test
    void whatIsPausedIsNoPileOfThoseWhoWork() {
        Waits waits = new Waits(NONE, new Tally(1, 50), NONE, Optional.empty());
        Node paused = new Node(A, 1, 50, 2, 0, 0, 10, 0, 0, 0, waits);
        assertThat(FlowFindings.of(flow(), flow(paused), SECOND))
                .extracting(FlowFindingsTest::text)
                .containsExactly("PAUSED a 50");
    }

    private static final FamilyName A = name("a");

    private static String text(FlowFinding flowFinding) {
        return flowFinding.verdict() + " " + flowFinding.family() + " " + flowFinding.tasks();
    }

    private static FlowSnapshot flow(Node... families) {
        return new FlowSnapshot(List.of(families), List.of());
    }

    private static Node node(String name, long available, long enqueued, long leases, long dequeued) {
        return new Node(name(name), 1, available, 0, 0, enqueued, leases, dequeued, 0, 0);
    }

    private static FamilyName name(String name) {
        return new FamilyName(Optional.of(GroupName.EMPTY), Bytes.of(name), false, Bytes.EMPTY);
    }
}
