package io.taskmaster.proxy.rpc.scatter;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.proxy.rpc.FakeCaller;
import io.taskmaster.proxy.rpc.SteppedRouter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class AllGroupsLeaseTest {

    private static final int PARTITIONS = 8;
    private static final int PLENTY = 1 << 20;
    private static final String WORKER = "w";
    private static final int NO_WAIT = 0;
    private static final int WAIT = 1000;

    private final SteppedRouter node = new SteppedRouter(PARTITIONS);
    private final AtomicInteger cursor = new AtomicInteger();
    private final FakeCaller caller = new FakeCaller();

    // ---------------------------------------------------------------- a sweep

    @Test
    void partitionsAreAskedOneAfterTheOtherTheNextAsSoonAsOneHasDecided() {
        submit(1, PLENTY, NO_WAIT);

        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(node.askedPartitions()).isEqualTo(upTo(partition));
            assertThat(node.undecidedLeases(WORKER)).isEqualTo(1);
            node.decide(partition);
        }
        assertThat(node.askedPartitions()).isEqualTo(upTo(PARTITIONS - 1));
    }

    @Test
    void theAnswerComesWhenTheLastPartitionIsDurable() {
        LeasedTask first = node.enqueue(1, 0);
        LeasedTask second = node.enqueue(6, 0);
        submit(10, PLENTY, NO_WAIT);
        upTo(PARTITIONS - 1).forEach(node::decide);

        for (int partition = PARTITIONS - 1; partition >= 0; partition--) {
            assertThat(caller.isAnswered()).isFalse();
            node.commit(partition);
        }
        assertThat(caller.tasks).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void eachPartitionIsAskedForNoMoreThanIsStillMissing() {
        enqueue(1, 2);
        enqueue(3, 5);
        enqueue(4, 1);
        submit(4, PLENTY, NO_WAIT);
        node.run();

        assertThat(node.asked).extracting(asked -> asked.lease().maxTasks()).containsExactly(4, 4, 2, 2);
        assertThat(caller.tasks).hasSize(4);
        assertThat(node.hasAvailable()).isTrue();
    }

    @Test
    void bytesAreSpentByOnePartitionAfterTheOther() {
        LeasedTask small = node.enqueue(0, 100);
        node.enqueue(1, 900);
        LeasedTask fitting = node.enqueue(2, 100);
        submit(10, 700, NO_WAIT);
        node.run();

        int left = (int) (700 - small.replyBytes());
        assertThat(node.asked.get(1).lease().maxBytes()).isEqualTo(left);
        assertThat(node.asked.get(1).lease().atLeastOne()).isFalse();
        assertThat(caller.tasks).containsExactlyInAnyOrder(small, fitting);
    }

    @Test
    void theFirstTaskComesHoweverLargeAndNoneBesideIt() {
        LeasedTask large = node.enqueue(2, 900);
        enqueue(2, 1);
        enqueue(3, 1);
        submit(10, 100, NO_WAIT);
        node.run();

        assertThat(caller.tasks).containsExactly(large);
        assertThat(node.askedPartitions()).isEqualTo(upTo(2));
    }

    @Test
    void theNextLeaseBeginsBehindThePartitionThatGaveLast() {
        enqueue(5, 1);
        submit(1, PLENTY, NO_WAIT);
        node.run();
        node.asked.clear();

        submit(1, PLENTY, NO_WAIT, new FakeCaller());
        node.run();

        assertThat(node.askedPartitions()).containsExactly(6, 7, 0, 1, 2, 3, 4, 5);
    }

    @Test
    void aCallerWhoGoesAwayDuringASweepIsLeasedNothingMore() {
        enqueue(0, 1);
        enqueue(3, 1);
        submit(10, PLENTY, WAIT);
        node.decide(0);
        caller.cancel();
        node.run();

        assertThat(node.granted).hasSize(1);
        assertThat(node.watches()).isZero();
        assertThat(caller.isAnswered()).isTrue();
    }

    // ---------------------------------------------------------------- errors

    @Test
    void whatOtherPartitionsGaveIsWorthMoreThanTheErrorOfOne() {
        LeasedTask task = node.enqueue(4, 0);
        submit(10, PLENTY, WAIT);
        node.breakDown(0);
        node.run();

        assertThat(node.askedPartitions()).isEqualTo(upTo(PARTITIONS - 1));
        assertThat(caller.tasks).containsExactly(task);
    }

    @Test
    void withoutTasksTheErrorOfOnePartitionIsTheAnswerOnceAllWereAsked() {
        submit(10, PLENTY, WAIT);
        node.breakDown(0);
        assertThat(caller.isAnswered()).isFalse();
        node.run();

        assertThat(caller.error).isNotNull().extracting("code").isEqualTo(ErrorCode.PARTITION_OPENING);
        assertThat(node.watches()).isZero();
    }

    @Test
    void partitionsThatRefuseAtOnceAreAnErrorToo() {
        node.refusing.addAll(upTo(PARTITIONS - 1));
        submit(10, PLENTY, WAIT);

        assertThat(caller.error).isNotNull().extracting("code").isEqualTo(ErrorCode.SHUTTING_DOWN);
        assertThat(node.askedPartitions()).isEqualTo(upTo(PARTITIONS - 1));
    }

    @Test
    void whatAPartitionDecidedBeforeItBrokeDownCountsAsTaken() {
        enqueue(0, 2);
        enqueue(1, 5);
        submit(3, PLENTY, NO_WAIT);
        node.decide(0);
        node.breakDown(0);
        node.run();

        assertThat(node.granted).hasSize(3);
        assertThat(caller.tasks).hasSize(1);
    }

    // ---------------------------------------------------------------- a long poll

    @Test
    void aLongPollThatFindsNothingWatchesAllAndLeasesNothing() {
        submit(1, PLENTY, WAIT);
        node.pass(300);
        node.run();

        assertThat(node.watches()).isEqualTo(PARTITIONS);
        assertThat(node.watchMillis()).containsExactly(WAIT - 300L);
        assertThat(node.undecidedLeases(WORKER)).isZero();
        assertThat(caller.isAnswered()).isFalse();
    }

    @Test
    void aTaskThatComesUpEndsAllWatchesAndIsLeasedFirst() {
        submit(1, PLENTY, WAIT);
        node.run();
        node.asked.clear();
        LeasedTask task = node.enqueue(5, 0);
        node.run();

        assertThat(node.askedPartitions()).containsExactly(5);
        assertThat(caller.tasks).containsExactly(task);
        assertThat(node.unanswered(WORKER)).isZero();
    }

    @Test
    void theSweepBeginsOnceNoWatchIsLeft() {
        submit(1, PLENTY, WAIT);
        node.run();
        node.asked.clear();
        enqueue(5, 1);
        node.commit(5);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(node.asked).isEmpty();
            node.decide(partition);
            node.commit(partition);
        }
        assertThat(node.askedPartitions()).containsExactly(5);
    }

    @Test
    void aTaskThatCameBetweenTheSweepAndTheWatchIsFoundAtOnce() {
        submit(1, PLENTY, WAIT);
        node.decide(0);
        LeasedTask task = node.enqueue(0, 0);
        node.run();

        assertThat(caller.tasks).containsExactly(task);
        assertThat(node.watches()).isZero();
    }

    @Test
    void whoComesTooLateWatchesAgainForTheRestOfTheTime() {
        submit(1, PLENTY, WAIT);
        node.run();
        node.pass(400);
        enqueue(5, 1);
        node.take(5);
        node.run();

        assertThat(node.watches()).isEqualTo(PARTITIONS);
        assertThat(node.watchMillis()).containsExactly(WAIT - 400L);
        assertThat(caller.isAnswered()).isFalse();
    }

    @Test
    void whenTimeIsUpTheAnswerIsEmptyAndNoWatchIsLeft() {
        submit(1, PLENTY, WAIT);
        node.run();
        node.pass(WAIT - 1);
        node.run();
        assertThat(caller.isAnswered()).isFalse();

        node.pass(1);
        node.run();

        assertThat(caller.tasks).isEmpty();
        assertThat(node.unanswered(WORKER)).isZero();
    }

    @Test
    void aCallerWhoGoesAwayLeavesNoWatchAndLeasesNothing() {
        submit(1, PLENTY, WAIT);
        node.run();
        node.asked.clear();
        caller.cancel();
        node.run();

        assertThat(node.unanswered(WORKER)).isZero();
        assertThat(node.asked).isEmpty();
        assertThat(caller.isAnswered()).isTrue();
    }

    @Test
    void aCallerWhoGoesAwayBeforeAllPartitionsWatchLeavesNoWatch() {
        submit(1, PLENTY, WAIT);
        upTo(PARTITIONS - 1).forEach(node::decide);
        upTo(PARTITIONS - 1).forEach(node::commit);
        node.decide(0);
        node.decide(1);
        assertThat(node.watches()).isEqualTo(2);
        caller.cancel();
        node.run();

        assertThat(node.unanswered(WORKER)).isZero();
        assertThat(caller.isAnswered()).isTrue();
    }

    @Test
    void aCallerWhoGoesAwayWhenSomethingWasFoundLeavesItThere() {
        submit(1, PLENTY, WAIT);
        node.run();
        enqueue(2, 1);
        node.commit(2);
        caller.cancel();
        node.run();

        assertThat(node.granted).isEmpty();
        assertThat(node.unanswered(WORKER)).isZero();
        assertThat(caller.isAnswered()).isTrue();
    }

    @Test
    void aWatchThatFailsIsBegunAnewIfItsPartitionAnswersAgain() {
        submit(1, PLENTY, WAIT);
        node.run();
        node.breakDown(3);
        node.run();

        assertThat(node.watches()).isEqualTo(PARTITIONS);
        assertThat(caller.isAnswered()).isFalse();
    }

    @Test
    void aWatchThatFailsEndsTheLongPollIfItsPartitionStaysAway() {
        submit(1, PLENTY, WAIT);
        node.run();
        node.refusing.add(3);
        node.breakDown(3);
        node.run();

        assertThat(caller.error).isNotNull().extracting("code").isEqualTo(ErrorCode.SHUTTING_DOWN);
        assertThat(node.unanswered(WORKER)).isZero();
    }

    @Test
    void aWatchThatIsWokenInVainIsEndedOnce() {
        submit(1, PLENTY, WAIT);
        node.run();
        for (int i = 0; i < 100; i++) {
            node.wake(6);
        }
        caller.cancel();
        node.run();

        assertThat(node.cancels).isEqualTo(PARTITIONS);
        assertThat(node.unanswered(WORKER)).isZero();
    }

    // ---------------------------------------------------------------- fixtures

    private void submit(int maxTasks, int maxBytes, int waitMillis) {
        submit(maxTasks, maxBytes, waitMillis, caller);
    }

    private void submit(int maxTasks, int maxBytes, int waitMillis, FakeCaller asker) {
        AllGroupsLease.submit(node, node, lease(WORKER, maxTasks, maxBytes, waitMillis), asker, cursor);
    }

    static Lease lease(String worker, int maxTasks, int maxBytes, int waitMillis) {
        var everywhere = new Selector(Optional.empty(), List.of(SteppedRouter.QUEUE.name()), Optional.empty());
        return new Lease(everywhere, maxTasks, maxBytes, 60_000, Optional.empty(), waitMillis, 0, worker, "address");
    }

    private void enqueue(int partition, int tasks) {
        for (int i = 0; i < tasks; i++) {
            node.enqueue(partition, 0);
        }
    }

    private static List<Integer> upTo(int partition) {
        return IntStream.rangeClosed(0, partition).boxed().toList();
    }
}
