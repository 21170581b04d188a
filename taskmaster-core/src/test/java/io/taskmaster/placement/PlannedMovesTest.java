package io.taskmaster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.placement.ClusterMember.State;
import io.taskmaster.placement.Move.Cause;
import io.taskmaster.placement.Wish.Outcome;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of planned moves: to new nodes, from nodes that leave, and by order of an operator. */
final class PlannedMovesTest {

    private final VirtualCluster cluster = new VirtualCluster(64, PlacementPolicy.DEFAULT);

    @Test
    void newNodeIsFilledSlowlyAtFirst() {
        cluster.startAndSettle("a", "b", "c");
        cluster.start("d");
        cluster.run(Duration.ofSeconds(9));
        assertThat(cluster.counts("d")).containsExactly(1);
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.counts("d")).containsExactly(3);
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.counts("d")).containsExactly(7);
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.counts("d").get(0)).isBetween(14, 16);
        assertThat(cluster.takeMoves()).allMatch(move -> move.cause() == Cause.JOIN);
        cluster.run(Duration.ofHours(1), Duration.ofSeconds(5));
        assertThat(cluster.takeMoves()).isEmpty();
    }

    @Test
    void joiningNodeGetsNothingBeforeItServes() {
        cluster.startAndSettle("a", "b");
        cluster.startCold("c");
        cluster.run(Duration.ofMinutes(5));
        assertThat(cluster.counts("c")).containsExactly(0);
        assertThat(cluster.takeMoves()).isEmpty();
    }

    @Test
    void emptyNodeAmongManyIsFilledThoughTheOthersAreBalanced() {
        VirtualCluster many = PlacementScaleTest.cluster(1024, 40);
        many.run(Duration.ofMinutes(2), Duration.ofSeconds(10));
        many.takeMoves();
        many.start("new");
        many.run(Duration.ofMinutes(2), Duration.ofSeconds(2));
        assertThat(many.partitionsOf("new").size()).isBetween(22, 25);
    }

    @Test
    void newNodeGetsNothingThatWouldOnlyChangePlaces() {
        VirtualCluster one = new VirtualCluster(1, PlacementPolicy.DEFAULT);
        one.startAndSettle("a");
        one.start("b");
        one.run(Duration.ofHours(1), Duration.ofSeconds(10));
        assertThat(one.takeMoves()).isEmpty();
    }

    @Test
    void newNodeGetsOrdinaryPartitionsFirst() {
        cluster.work(0, 0.4);
        cluster.work(1, 0.4);
        for (int partition = 2; partition < 64; partition++) {
            cluster.work(partition, 0.01);
        }
        cluster.startAndSettle("a", "b");
        cluster.run(Duration.ofMinutes(2));
        cluster.takeMoves();
        cluster.start("c");
        cluster.run(Duration.ofSeconds(15));
        assertThat(cluster.takeMoves()).isNotEmpty().extracting(Move::partition).doesNotContain(0, 1);
    }

    @Test
    void leavingNodeIsEmptiedEightAtATime() {
        cluster.startAndSettle("a", "b", "c");
        cluster.become("a", State.LEAVING);
        PlacementDecision decision = cluster.decide();
        assertThat(decision.moves()).hasSize(8).allMatch(move -> move.cause() == Cause.DRAIN);
        assertThat(decision.moves().get(0).reason()).startsWith("a leaves; ").contains(" of the mean load");
        assertThat(decision.moves()).extracting(move -> move.to().id()).contains("b", "c");
        assertThat(decision.waits().get(0))
                .startsWith("a leaves: 14 of its partitions are still to move, 8 are moving");
        assertThat(cluster.decide().moves()).isEmpty();
        cluster.run(Duration.ofSeconds(6));
        assertThat(cluster.counts("a")).containsExactly(0);
        assertThat(cluster.counts("b", "c")).containsExactly(32, 32);
        cluster.stop("a");
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.takeMoves()).hasSize(22);
    }

    @Test
    void nodesThatLeaveTogetherShareWhatMayBeInMotion() {
        VirtualCluster large = new VirtualCluster(1024, PlacementPolicy.DEFAULT);
        large.startAndSettle("a", "b", "c");
        large.become("a", State.LEAVING);
        assertThat(large.decide().moves()).hasSize(8);
        large.become("b", State.LEAVING);
        assertThat(large.decide().moves()).hasSize(2);
    }

    @Test
    void drainedNodeStaysEmptyUntilItIsDrainedNoMore() {
        cluster.startAndSettle("a", "b", "c");
        cluster.wish(new Wish.Drain("a"));
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.counts("a", "b", "c")).containsExactly(0, 32, 32);
        assertThat(cluster.last().drained()).containsExactly("a");
        cluster.kill("c");
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.counts("a", "b")).containsExactly(0, 64);
        cluster.takeMoves();
        cluster.wish(new Wish.Undrain("a"));
        cluster.run(Duration.ofMinutes(20));
        assertThat(cluster.last().drained()).isEmpty();
        assertThat(cluster.counts("a").get(0)).isBetween(28, 32);
    }

    @Test
    void leavingNodeComesBeforeADrainedOne() {
        cluster.startAndSettle("a", "b", "c", "d");
        cluster.wish(new Wish.Drain("a"));
        cluster.become("b", State.LEAVING);
        assertThat(cluster.decide().moves().get(0).from().map(NodeRef::id)).contains("b");
    }

    @Test
    void lastNodeIsNotEmptied() {
        cluster.startAndSettle("a");
        cluster.wish(new Wish.Drain("a"));
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.counts("a")).containsExactly(64);
        assertThat(cluster.last().waits())
                .containsExactly("a is drained: 64 of its partitions are still to move, 0 are moving");
    }

    @Test
    void drainedNodeServesIfItIsAllThereIs() {
        cluster.startAndSettle("a", "b");
        cluster.wish(new Wish.Drain("a"));
        cluster.run(Duration.ofMinutes(1));
        cluster.kill("b");
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.counts("a")).containsExactly(64);
    }

    @ParameterizedTest
    @CsvSource({"400, 1000000000", "1000000000, 40000"})
    void hardLimitsHoldBackADrain(long queues, long memoryBytes) {
        cluster.start("a");
        cluster.start("b", new NodeCapacity(1, queues, memoryBytes));
        cluster.run(Duration.ofMinutes(1));
        cluster.wish(new Wish.Drain("a"));
        cluster.run(Duration.ofMinutes(2));
        assertThat(cluster.counts("a", "b")).containsExactly(24, 40);
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.counts("b")).containsExactly(64);
    }

    @Test
    void moveIsDoneWhenTheNewOwnerServes() {
        cluster.startAndSettle("a", "b");
        cluster.handover(Duration.ofSeconds(3));
        int partition = cluster.partitionsOf("a").get(0);
        cluster.wish(new Wish.MovePartition(partition, "b"));
        cluster.run(Duration.ofSeconds(3));
        assertThat(cluster.map().entry(partition).from().map(NodeRef::id)).contains("a");
        assertThat(cluster.last().waits()).containsExactly("under way: p%d a -> b".formatted(partition));
        cluster.run(Duration.ofSeconds(2));
        assertThat(cluster.map().entry(partition).from()).isEmpty();
        assertThat(cluster.map().entry(partition).version())
                .isEqualTo(cluster.map().version());
    }

    @Test
    void partitionGoesBackIfItsNewOwnerDies() {
        cluster.startAndSettle("a", "b", "c", "d");
        cluster.stuck("b", true);
        int partition = cluster.partitionsOf("a").get(0);
        cluster.wish(new Wish.MovePartition(partition, "b"));
        cluster.run(Duration.ofSeconds(1));
        cluster.kill("b");
        cluster.takeMoves();
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.takeMoves())
                .filteredOn(move -> move.partition() == partition)
                .singleElement()
                .matches(move -> move.cause() == Cause.RETURN && move.to().id().equals("a"))
                .extracting(Move::reason)
                .isEqualTo("b is gone before it took over");
        assertThat(cluster.map().entry(partition).from()).isEmpty();
    }

    @Test
    void partitionStaysWithItsNewOwnerIfTheOldOneDies() {
        cluster.startAndSettle("a", "b", "c");
        cluster.handover(Duration.ofSeconds(25));
        int partition = cluster.partitionsOf("a").get(0);
        cluster.wish(new Wish.MovePartition(partition, "b"));
        cluster.run(Duration.ofSeconds(2));
        cluster.takeMoves();
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.takeMoves()).extracting(Move::partition).doesNotContain(partition);
        assertThat(cluster.map().entry(partition).owner().map(NodeRef::id)).contains("b");
        assertThat(cluster.map().entry(partition).from()).isEmpty();
    }

    @Test
    void nodeThatTakesNothingOverIsReplacedAndAvoided() {
        cluster.startAndSettle("a", "b", "c");
        cluster.stuck("b", true);
        int partition = cluster.partitionsOf("a").get(0);
        cluster.wish(new Wish.MovePartition(partition, "b"));
        cluster.run(Duration.ofSeconds(30));
        cluster.takeMoves();
        cluster.run(Duration.ofSeconds(2));
        assertThat(cluster.takeMoves())
                .singleElement()
                .matches(move -> move.cause() == Cause.RETRY && move.to().id().equals("c"))
                .extracting(Move::reason)
                .isEqualTo("b did not take over within 30 s");
        cluster.wish(new Wish.Drain("a"));
        cluster.run(Duration.ofSeconds(20));
        assertThat(cluster.takeMoves())
                .isNotEmpty()
                .allMatch(move -> move.to().id().equals("c"));
    }

    @Test
    void partitionReturnsIfNoOtherNodeCanTakeItOver() {
        cluster.startAndSettle("a", "b");
        cluster.stuck("b", true);
        int partition = cluster.partitionsOf("a").get(0);
        cluster.wish(new Wish.MovePartition(partition, "b"));
        cluster.run(Duration.ofSeconds(32));
        assertThat(cluster.map().entry(partition))
                .matches(entry -> !entry.isMoving())
                .extracting(entry -> entry.owner().map(NodeRef::id))
                .isEqualTo(Optional.of("a"));
    }

    @Test
    void ordersThatCannotBeCarriedOutAreRefusedInWords() {
        cluster.startAndSettle("a", "b", "c");
        cluster.start("small", VirtualCluster.capacity(1, 5));
        cluster.startCold("cold");
        cluster.wish(new Wish.Drain("c"));
        cluster.run(Duration.ofSeconds(10));
        int partition = cluster.partitionsOf("a").get(0);
        assertThat(cluster.answer(new Wish.MovePartition(64, "b")).words())
                .isEqualTo("partition: 64 (expected: 0 to 63)");
        assertThat(cluster.answer(new Wish.MovePartition(partition, "x")).words())
                .isEqualTo("node x is no member");
        assertThat(cluster.answer(new Wish.MovePartition(partition, "c")).words())
                .isEqualTo("node c is drained");
        assertThat(cluster.answer(new Wish.MovePartition(partition, "cold")).words())
                .isEqualTo("node cold is not serving");
        assertThat(cluster.answer(new Wish.MovePartition(partition, "small")).words())
                .isEqualTo("node small has no room: p%d is on a".formatted(partition));
        assertThat(cluster.answers().subList(1, 6)).allMatch(answer -> answer.outcome() == Outcome.REFUSED);
        assertThat(cluster.answer(new Wish.MovePartition(partition, "a")).outcome())
                .isEqualTo(Outcome.DONE);
    }

    @Test
    void answersToDrainsSayWhatIsToMove() {
        cluster.startAndSettle("a", "b");
        assertThat(cluster.answer(new Wish.Drain("a")).words()).isEqualTo("node a is to be empty: 32 partitions");
        assertThat(cluster.answer(new Wish.Drain("c")).words())
                .isEqualTo("node c is no member now: it gets nothing when it comes");
        cluster.start("c");
        cluster.run(Duration.ofMinutes(2));
        assertThat(cluster.counts("a", "b", "c")).containsExactly(0, 64, 0);
        assertThat(cluster.answer(new Wish.Undrain("c")).words()).isEqualTo("node c may serve");
        assertThat(cluster.last().drained()).containsExactly("a");
    }

    @Test
    void ordersWaitForRoomInMotion() {
        cluster.startAndSettle("a", "b");
        cluster.partitionsOf("a").subList(0, 14).forEach(p -> cluster.wish(new Wish.MovePartition(p, "b")));
        PlacementDecision decision = cluster.decide();
        assertThat(decision.moves()).hasSize(8).allMatch(move -> move.cause() == Cause.OPERATOR);
        assertThat(decision.answers())
                .filteredOn(answer -> answer.outcome() == Outcome.WAITING)
                .hasSize(6);
        cluster.run(Duration.ofSeconds(6));
        assertThat(cluster.counts("b")).containsExactly(46);
    }

    @Test
    void secondMoveOfAPartitionHasItsOwnTime() {
        cluster.startAndSettle("a", "b", "c");
        int partition = cluster.partitionsOf("a").get(0);
        cluster.wish(new Wish.MovePartition(partition, "b"));
        cluster.run(Duration.ofMinutes(2));
        cluster.handover(Duration.ofSeconds(20));
        cluster.wish(new Wish.MovePartition(partition, "c"));
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.takeMoves()).extracting(Move::cause).containsExactly(Cause.OPERATOR, Cause.OPERATOR);
        assertThat(cluster.owners(partition)).containsExactly("c");
    }

    @Test
    void partitionThatAnOperatorMovedStays() {
        cluster.startAndSettle("a", "b");
        int heavy = cluster.partitionsOf("a").get(0);
        cluster.work(heavy, 0.5);
        cluster.partitionsOf("b").forEach(partition -> cluster.work(partition, 0.01));
        cluster.run(Duration.ofMinutes(3));
        cluster.takeMoves();
        cluster.wish(new Wish.MovePartition(heavy, "b"));
        cluster.run(Duration.ofMinutes(9));
        assertThat(cluster.takeMoves())
                .filteredOn(move -> move.partition() == heavy)
                .hasSize(1);
    }

    @Test
    void rebalanceBeginsBelowTheBound() {
        cluster.startAndSettle("a", "b", "c");
        cluster.partitionsOf("a").forEach(partition -> cluster.work(partition, 0.0115));
        cluster.partitionsOf("b").forEach(partition -> cluster.work(partition, 0.01));
        cluster.partitionsOf("c").forEach(partition -> cluster.work(partition, 0.0085));
        cluster.run(Duration.ofMinutes(10));
        assertThat(cluster.takeMoves()).isEmpty();
        double before = cluster.maxOverMean();
        assertThat(cluster.answer(new Wish.Rebalance()).outcome()).isEqualTo(Outcome.DONE);
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.takeMoves()).isNotEmpty().allMatch(move -> move.cause() == Cause.BALANCE);
        assertThat(cluster.maxOverMean()).isLessThan(before);
    }
}
