package io.taskmaster.server.engine.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Verdict;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.engine.flow.Waits;
import io.taskmaster.server.engine.flow.Waits.Tally;
import io.taskmaster.server.engine.rank.BusiestQueues;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.SmallPartition;
import io.taskmaster.server.engine.state.StateFixture;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the verdict on a queue as time goes by and as its workers come and go. */
final class UnattendedWatchTest {

    private static final ActivityIndex.Question QUESTION = new ActivityIndex.Question(8, Optional.empty());
    private static final QueueKey Q = QueueKey.of("q");

    private final SmallPartition partition = new SmallPartition();

    @Test
    void aQueueWhoseLastWorkerIsGoneIsStuck() {
        partition.enqueue(Q, "a", "b", "c");
        partition.lease(Q, 1);
        assertVerdict(Q, Verdict.FINE);
        pass(SmallPartition.LEASE_MILLIS);
        assertVerdict(Q, Verdict.FINE);
        pass(3 * SmallPartition.LEASE_MILLIS - 1);
        assertVerdict(Q, Verdict.FINE);
        pass(1);
        assertVerdict(Q, Verdict.STUCK);
        assertThat(waits(Q)).isEqualTo(new Waits(new Tally(1, 3), tally(0, 0), tally(0, 0), Optional.of(Q)));
        partition.enqueue(Q, "d");
        assertVerdict(Q, Verdict.STUCK);
        assertThat(waits(Q).stuck()).isEqualTo(tally(1, 4));
        partition.lease(Q, 1);
        assertVerdict(Q, Verdict.FINE);
        assertThat(waits(Q)).isEqualTo(Waits.NONE);
    }

    @Test
    void whoLeasesAndFinishesBetweenTwoLooksIsNoticed() {
        partition.enqueue(Q, "a", "b", "c");
        for (int i = 0; i < 3; i++) {
            partition.lease(Q, 1);
            look();
            partition.enqueue(Q, "more" + i);
            pass(2 * SmallPartition.LEASE_MILLIS);
            assertVerdict(Q, Verdict.FINE);
        }
    }

    @Test
    void aQueueThatNobodyLeasesFromIsKept() {
        partition.enqueue(Q, "a");
        assertVerdict(Q, Verdict.FINE);
        pass(Verdict.UNATTENDED_TIMEOUT_MILLIS);
        assertVerdict(Q, Verdict.KEPT);
        assertThat(waits(Q).kept()).isEqualTo(tally(1, 1));
        partition.dequeue(Q, "a");
        assertVerdict(Q, Verdict.FINE);
        assertThat(waits(Q)).isEqualTo(Waits.NONE);
    }

    @Test
    void aQueueThatWasEmptyForLongIsNotStuckAtOnceWhenATaskComes() {
        partition.enqueue(Q, "a");
        partition.lease(Q, 1);
        partition.dequeue(Q, "a");
        look();
        pass(100 * SmallPartition.LEASE_MILLIS);
        partition.enqueue(Q, "b");
        assertVerdict(Q, Verdict.FINE);
        pass(3 * SmallPartition.LEASE_MILLIS);
        assertVerdict(Q, Verdict.STUCK);
    }

    @Test
    void aPausedQueueIsPausedAsLongAsTasksWait() {
        partition.enqueue(Q, "a");
        StateFixture.setOptions(partition.state.queues(), Q, new QueueOptions(true, 0, 1));
        assertVerdict(Q, Verdict.PAUSED);
        StateFixture.setOptions(partition.state.queues(), Q, QueueOptions.NONE);
        assertVerdict(Q, Verdict.FINE);
    }

    @Test
    void deadLettersAreKeptEvenIfSomebodyLookedThroughThem() {
        QueueKey dead = QueueKey.of("q.dead");
        partition.enqueue(dead, "a", "b");
        partition.lease(dead, 1);
        partition.dequeue(dead, "a");
        look();
        pass(3 * SmallPartition.LEASE_MILLIS);
        assertVerdict(dead, Verdict.KEPT);
    }

    @Test
    void oneOfManyQueuesOfAFamilyIsStuckWhileItsSiblingsAreBusy() {
        for (int i = 0; i < 50; i++) {
            partition.enqueue(QueueKey.of("fetch/" + i), "a", "b");
        }
        for (int time = 0; time < 9; time++) {
            for (int i = 1; i < 50; i++) {
                partition.lease(QueueKey.of("fetch/" + i), 1);
            }
            look();
            pass(SmallPartition.LEASE_MILLIS);
        }
        assertVerdict(QueueKey.of("fetch/0"), Verdict.STUCK);
        FlowSnapshot.Node family = partition.state.queues().flow().nodes().stream()
                .filter(node -> node.name().toString().equals("fetch/*"))
                .findFirst()
                .orElseThrow();
        assertThat(family.waits().stuck()).isEqualTo(tally(1, 2));
        assertThat(family.waits().stuckLongest()).hasValue(QueueKey.of("fetch/0"));
    }

    @Test
    void verdictsMoveWithTheirQueueToAnotherFamily() {
        partition.enqueue(Q, "a");
        look();
        pass(Verdict.UNATTENDED_TIMEOUT_MILLIS);
        assertVerdict(Q, Verdict.KEPT);
        for (int i = 0; i < 40; i++) {
            partition.enqueue(QueueKey.of("fetch/" + i), "a");
        }
        assertThat(waits(Q).kept()).isEqualTo(tally(1, 1));
        partition.dequeue(Q, "a");
        look();
        assertThat(waits(Q)).isEqualTo(Waits.NONE);
    }

    @Test
    void aTaskThatWasTriedSaysThatItsQueueWasWorkedOnBeforeTheRestart() {
        partition.enqueue(Q, "a");
        partition.lease(Q, 1);
        pass(SmallPartition.LEASE_MILLIS);
        QueueState queue = partition.queue(Q);
        SmallPartition restarted = new SmallPartition();
        restarted.enqueue(Q, "a");
        QueueState reopened = restarted.queue(Q);
        assertThat(reopened.wasWorkedOn()).isFalse();
        StateFixture.copyAttempts(queue, reopened);
        assertThat(reopened.wasWorkedOn()).isTrue();
    }

    private void pass(long millis) {
        partition.nowMillis += millis;
        partition.state.advance(partition.nowMillis);
        look();
    }

    private void look() {
        BusiestQueues scan = new BusiestQueues(QUESTION, Set.of(), partition.nowMillis);
        while (!scan.scanSlice(partition.engine)) {
            // One slice per call.
        }
    }

    private void assertVerdict(QueueKey queue, Verdict verdict) {
        look();
        QueueState state = partition.state.queues().get(queue);
        assertThat(state == null ? Verdict.FINE : partition.engine.activity().verdict(state))
                .isEqualTo(verdict);
    }

    private Waits waits(QueueKey queue) {
        List<FlowSnapshot.Node> nodes = partition.state.queues().flow().nodes();
        return nodes.stream()
                .filter(node -> node.name().toString().equals(queue.name().toString()))
                .findFirst()
                .orElseThrow()
                .waits();
    }

    private static Tally tally(long queues, long tasks) {
        return new Tally(queues, tasks);
    }
}
