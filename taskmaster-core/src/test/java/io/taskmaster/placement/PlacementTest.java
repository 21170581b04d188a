package io.taskmaster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.placement.ClusterMember.State;
import io.taskmaster.placement.Move.Cause;
import io.taskmaster.placement.Wish.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of placement, one situation each. */
final class PlacementTest {

    private final VirtualCluster cluster = new VirtualCluster(64, PlacementPolicy.DEFAULT);

    // ---- first map

    @Test
    void firstMapSpreadsAllPartitionsEvenly() {
        cluster.start("a");
        cluster.start("b");
        cluster.start("c");
        PlacementDecision decision = cluster.decide();
        assertThat(decision.map().version()).isEqualTo(42);
        assertThat(counts("a", "b", "c")).containsExactlyInAnyOrder(22, 21, 21);
        assertThat(decision.moves())
                .hasSize(64)
                .allMatch(move -> move.cause() == Cause.FIRST && move.from().isEmpty());
        assertThat(decision.moves().get(0).describe()).isEqualTo("p0 none -> a: first map");
        assertThat(cluster.isMoving()).isFalse();
    }

    @Test
    void firstMapGoesByCapacity() {
        cluster.start("small", capacity(1, Long.MAX_VALUE));
        cluster.start("large", capacity(3, Long.MAX_VALUE));
        cluster.decide();
        assertThat(counts("small", "large")).containsExactly(16, 48);
    }

    @Test
    void noNodeServesNoMap() {
        PlacementDecision decision = cluster.decide();
        assertThat(decision.map().isPlaced()).isFalse();
        assertThat(decision.waits()).containsExactly("64 partitions have no owner: no node serves");
    }

    @Test
    void joiningNodeGetsTheFirstMapOnlyIfNoneServes() {
        cluster.startCold("cold");
        cluster.decide();
        assertThat(counts("cold")).containsExactly(64);

        VirtualCluster other = new VirtualCluster(64, PlacementPolicy.DEFAULT);
        other.startCold("cold");
        other.start("warm");
        other.decide();
        assertThat(other.partitionsOf("warm")).hasSize(64);
    }

    // ---- deaths

    @Test
    void partitionsOfADeadNodeAreSpreadOverAllSurvivorsInOneChange() {
        startAndSettle("a", "b", "c", "d");
        long version = cluster.map().version();
        cluster.kill("b");
        cluster.run(Duration.ofSeconds(9));
        assertThat(cluster.takeMoves()).isEmpty();
        cluster.run(Duration.ofSeconds(1));
        List<Move> moves = cluster.takeMoves();
        assertThat(moves).hasSize(16).allMatch(move -> move.cause() == Cause.DEATH);
        assertThat(moves.get(0).reason()).matches("b#[0-9a-f]{16} is dead");
        assertThat(cluster.map().version()).isEqualTo(version + 1);
        assertThat(counts("a", "c", "d")).containsExactlyInAnyOrder(22, 21, 21);
    }

    @Test
    void heavyPartitionsOfADeadNodeGoToNodesWithRoom() {
        startAndSettle("a", "b", "c");
        for (int partition : cluster.partitionsOf("a")) {
            cluster.work(partition, 0.001);
        }
        for (int partition : cluster.partitionsOf("b")) {
            cluster.work(partition, 0.03);
        }
        for (int partition : cluster.partitionsOf("c")) {
            cluster.work(partition, 0.03);
        }
        cluster.run(Duration.ofSeconds(30));
        cluster.takeMoves();
        cluster.kill("c");
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.takeMoves())
                .filteredOn(move -> move.to().id().equals("a"))
                .hasSizeGreaterThanOrEqualTo(9);
        assertThat(cluster.maxOverMean()).isLessThan(1.1);
    }

    @Test
    void noSurvivorGetsMoreThanTwiceItsShareOfADeadNode() {
        cluster.start("idle");
        cluster.start("b");
        cluster.start("c");
        cluster.start("d");
        cluster.start("e");
        cluster.decide();
        for (String busy : List.of("b", "c", "d", "e")) {
            cluster.partitionsOf(busy).forEach(partition -> cluster.work(partition, 0.005));
        }
        cluster.run(Duration.ofSeconds(60));
        cluster.run(Duration.ofMinutes(3));
        cluster.takeMoves();
        int before = counts("idle").get(0);
        int dying = counts("e").get(0);
        cluster.kill("e");
        cluster.run(Duration.ofSeconds(10));
        assertThat(counts("idle").get(0) - before).isLessThanOrEqualTo((dying + 1) / 2);
    }

    @Test
    void coldNodeIsSparedWhenAnotherDies() {
        startAndSettle("a", "b", "c");
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(9));
        cluster.start("fresh");
        cluster.run(Duration.ofSeconds(1));
        assertThat(counts("fresh")).containsExactly(1);
        assertThat(counts("b", "c").stream().mapToInt(count -> count).sum()).isEqualTo(63);
    }

    @Test
    void moreThanAThirdDeadAtOnceAreWaitedForThreeTimesAsLong() {
        startAndSettle("a", "b", "c", "d", "e");
        cluster.kill("a");
        cluster.kill("b");
        cluster.run(Duration.ofSeconds(29));
        assertThat(cluster.takeMoves()).isEmpty();
        assertThat(cluster.last().waits())
                .containsExactly("2 of 5 nodes are silent, a, b: nothing moves before they have been so for 30 s");
        long version = cluster.map().version();
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.partitionsOf("a")).isEmpty();
        assertThat(cluster.partitionsOf("b")).isEmpty();
        assertThat(cluster.map().version()).isEqualTo(version + 1);
    }

    @Test
    void aThirdDeadAtOnceIsNotTooMany() {
        startAndSettle("a", "b", "c", "d", "e", "f");
        cluster.kill("a");
        cluster.kill("b");
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.partitionsOf("a")).isEmpty();
        assertThat(cluster.partitionsOf("b")).isEmpty();
    }

    @Test
    void oneOfTwoNodesIsNotTooMany() {
        startAndSettle("a", "b");
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(10));
        assertThat(counts("b")).containsExactly(64);
    }

    @Test
    void nothingElseMovesWhileManyAreSilent() {
        startAndSettle("a", "b", "c", "d", "e");
        cluster.kill("a");
        cluster.kill("b");
        cluster.run(Duration.ofSeconds(10));
        cluster.wish(new Wish.Drain("c"));
        cluster.wish(new Wish.MovePartition(cluster.partitionsOf("d").get(0), "e"));
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.takeMoves()).isEmpty();
        assertThat(cluster.answers()).last().matches(answer -> answer.outcome() == Outcome.WAITING);
        cluster.run(Duration.ofSeconds(15));
        assertThat(cluster.takeMoves()).extracting(Move::cause).contains(Cause.DEATH, Cause.DRAIN, Cause.OPERATOR);
    }

    @Test
    void noSurvivorNoChange() {
        startAndSettle("a");
        cluster.kill("a");
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.takeMoves()).isEmpty();
        assertThat(cluster.last().waits()).containsExactly("64 partitions have no owner: no node serves");
        cluster.start("b");
        cluster.run(Duration.ofSeconds(1));
        assertThat(counts("b")).containsExactly(64);
    }

    @Test
    void nodeThatWasForgottenOrHasEndedIsGoneAtOnce() {
        startAndSettle("a", "b", "c", "d");
        cluster.forget("a");
        cluster.stop("b");
        cluster.run(Duration.ofSeconds(1));
        assertThat(counts("c", "d")).containsExactly(32, 32);
        assertThat(cluster.takeMoves().get(0).reason()).endsWith(" has ended");
    }

    @Test
    void pausedNodeComesBackEmptyAndIsFilledAgain() {
        startAndSettle("a", "b", "c");
        NodeRef paused = cluster.ref("a");
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(20));
        cluster.takeMoves();
        cluster.awake("a");
        cluster.run(Duration.ofSeconds(1));
        assertThat(counts("a")).containsExactly(1);
        cluster.run(Duration.ofMinutes(2));
        assertThat(counts("a").get(0)).isBetween(19, 22);
        assertThat(cluster.takeMoves())
                .allMatch(move -> move.cause() == Cause.JOIN && move.to().equals(paused));
    }

    // ---- restart in place

    @Test
    void restartedNodeGetsItsPartitionsBackInOneChange() {
        startAndSettle("a", "b", "c");
        List<Integer> before = cluster.partitionsOf("a");
        long version = cluster.map().version();
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(5));
        NodeRef successor = cluster.startCold("a");
        cluster.run(Duration.ofSeconds(1));
        List<Move> moves = cluster.takeMoves();
        assertThat(moves).extracting(Move::partition).containsExactlyElementsOf(before);
        assertThat(moves)
                .allMatch(move -> move.cause() == Cause.RESTART && move.to().equals(successor));
        assertThat(moves.get(0).reason()).isEqualTo("restarted as " + successor.ownerName());
        assertThat(cluster.map().version()).isEqualTo(version + 1);
        assertThat(cluster.isMoving()).isFalse();
    }

    @Test
    void allNodesRestartedAtOnceGetTheirOwnBack() {
        startAndSettle("a", "b", "c");
        List<Integer> before = cluster.partitionsOf("b");
        List.of("a", "b", "c").forEach(cluster::kill);
        cluster.run(Duration.ofSeconds(25));
        List.of("a", "b", "c").forEach(cluster::startCold);
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.takeMoves()).hasSize(64).allMatch(move -> move.cause() == Cause.RESTART);
        assertThat(cluster.partitionsOf("b")).isEqualTo(before);
    }

    @Test
    void nodeThatComesBackAfterHalfAMinuteIsOneOfMany() {
        startAndSettle("a");
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(31));
        cluster.start("a");
        cluster.start("b");
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.takeMoves()).hasSize(64).allMatch(move -> move.cause() == Cause.DEATH);
        assertThat(counts("a", "b")).containsExactly(32, 32);
    }

    @Test
    void restartedNodeThatIsDrainedGetsNothingBack() {
        startAndSettle("a", "b", "c");
        cluster.wish(new Wish.Drain("a"));
        cluster.decide();
        cluster.kill("a");
        cluster.start("a");
        cluster.run(Duration.ofSeconds(1));
        assertThat(counts("a")).containsExactly(0);
    }

    // ---- joining

    @Test
    void newNodeIsFilledSlowlyAtFirst() {
        startAndSettle("a", "b", "c");
        cluster.start("d");
        cluster.run(Duration.ofSeconds(9));
        assertThat(counts("d")).containsExactly(1);
        cluster.run(Duration.ofSeconds(10));
        assertThat(counts("d")).containsExactly(3);
        cluster.run(Duration.ofSeconds(10));
        assertThat(counts("d")).containsExactly(7);
        cluster.run(Duration.ofMinutes(1));
        assertThat(counts("d").get(0)).isBetween(14, 16);
        assertThat(cluster.takeMoves()).allMatch(move -> move.cause() == Cause.JOIN);
        cluster.run(Duration.ofHours(1), Duration.ofSeconds(5));
        assertThat(cluster.takeMoves()).isEmpty();
    }

    @Test
    void joiningNodeGetsNothingBeforeItServes() {
        startAndSettle("a", "b");
        cluster.startCold("c");
        cluster.run(Duration.ofMinutes(5));
        assertThat(counts("c")).containsExactly(0);
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
    void newNodeGetsOrdinaryPartitionsFirst() {
        cluster.work(0, 0.4);
        cluster.work(1, 0.4);
        for (int partition = 2; partition < 64; partition++) {
            cluster.work(partition, 0.01);
        }
        startAndSettle("a", "b");
        cluster.run(Duration.ofMinutes(2));
        cluster.takeMoves();
        cluster.start("c");
        cluster.run(Duration.ofSeconds(15));
        assertThat(cluster.takeMoves()).isNotEmpty().extracting(Move::partition).doesNotContain(0, 1);
    }

    // ---- leaving and draining

    @Test
    void leavingNodeIsEmptiedEightAtATime() {
        startAndSettle("a", "b", "c");
        cluster.become("a", State.LEAVING);
        PlacementDecision decision = cluster.decide();
        assertThat(decision.moves()).hasSize(8).allMatch(move -> move.cause() == Cause.DRAIN);
        assertThat(decision.moves().get(0).reason()).startsWith("a leaves; ").contains(" of the mean load");
        assertThat(decision.moves()).extracting(move -> move.to().id()).contains("b", "c");
        assertThat(decision.waits().get(0))
                .startsWith("a leaves: 14 of its partitions are still to move, 8 are moving");
        assertThat(cluster.decide().moves()).isEmpty();
        cluster.run(Duration.ofSeconds(6));
        assertThat(counts("a")).containsExactly(0);
        assertThat(counts("b", "c")).containsExactly(32, 32);
        cluster.stop("a");
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.takeMoves()).hasSize(22);
    }

    @Test
    void drainedNodeStaysEmptyUntilItIsDrainedNoMore() {
        startAndSettle("a", "b", "c");
        cluster.wish(new Wish.Drain("a"));
        cluster.run(Duration.ofMinutes(1));
        assertThat(counts("a", "b", "c")).containsExactly(0, 32, 32);
        assertThat(cluster.last().drained()).containsExactly("a");
        cluster.kill("c");
        cluster.run(Duration.ofMinutes(1));
        assertThat(counts("a", "b")).containsExactly(0, 64);
        cluster.takeMoves();
        cluster.wish(new Wish.Undrain("a"));
        cluster.run(Duration.ofMinutes(20));
        assertThat(cluster.last().drained()).isEmpty();
        assertThat(counts("a").get(0)).isBetween(28, 32);
    }

    @Test
    void leavingNodeComesBeforeADrainedOne() {
        startAndSettle("a", "b", "c", "d");
        cluster.wish(new Wish.Drain("a"));
        cluster.become("b", State.LEAVING);
        assertThat(cluster.decide().moves().get(0).from().map(NodeRef::id)).contains("b");
    }

    @Test
    void lastNodeIsNotEmptied() {
        startAndSettle("a");
        cluster.wish(new Wish.Drain("a"));
        cluster.run(Duration.ofMinutes(1));
        assertThat(counts("a")).containsExactly(64);
        assertThat(cluster.last().waits())
                .containsExactly("a is drained: 64 of its partitions are still to move, 0 are moving");
    }

    @Test
    void drainedNodeServesIfItIsAllThereIs() {
        startAndSettle("a", "b");
        cluster.wish(new Wish.Drain("a"));
        cluster.run(Duration.ofMinutes(1));
        cluster.kill("b");
        cluster.run(Duration.ofSeconds(10));
        assertThat(counts("a")).containsExactly(64);
    }

    @Test
    void hardLimitsHoldBackADrain() {
        cluster.start("a");
        cluster.start("b", capacity(1, 400));
        cluster.run(Duration.ofMinutes(1));
        cluster.wish(new Wish.Drain("a"));
        cluster.run(Duration.ofMinutes(2));
        assertThat(counts("a", "b")).containsExactly(24, 40);
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(10));
        assertThat(counts("b")).containsExactly(64);
    }

    // ---- moves under way

    @Test
    void moveIsDoneWhenTheNewOwnerServes() {
        startAndSettle("a", "b");
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
        startAndSettle("a", "b", "c", "d");
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
        startAndSettle("a", "b", "c");
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
        startAndSettle("a", "b", "c");
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
        startAndSettle("a", "b");
        cluster.stuck("b", true);
        int partition = cluster.partitionsOf("a").get(0);
        cluster.wish(new Wish.MovePartition(partition, "b"));
        cluster.run(Duration.ofSeconds(32));
        assertThat(cluster.map().entry(partition))
                .matches(entry -> !entry.isMoving())
                .extracting(entry -> entry.owner().map(NodeRef::id))
                .isEqualTo(Optional.of("a"));
    }

    // ---- orders of operators

    @Test
    void ordersThatCannotBeCarriedOutAreRefusedInWords() {
        startAndSettle("a", "b", "c");
        cluster.start("small", capacity(1, 5));
        cluster.startCold("cold");
        cluster.wish(new Wish.Drain("c"));
        cluster.run(Duration.ofSeconds(10));
        int partition = cluster.partitionsOf("a").get(0);
        assertThat(answer(new Wish.MovePartition(64, "b")).words()).isEqualTo("partition: 64 (expected: 0 to 63)");
        assertThat(answer(new Wish.MovePartition(partition, "x")).words()).isEqualTo("node x is no member");
        assertThat(answer(new Wish.MovePartition(partition, "c")).words()).isEqualTo("node c is drained");
        assertThat(answer(new Wish.MovePartition(partition, "cold")).words()).isEqualTo("node cold is not serving");
        assertThat(answer(new Wish.MovePartition(partition, "small")).words())
                .isEqualTo("node small has no room: p%d is on a".formatted(partition));
        assertThat(cluster.answers().subList(1, 6)).allMatch(answer -> answer.outcome() == Outcome.REFUSED);
        assertThat(answer(new Wish.MovePartition(partition, "a")).outcome()).isEqualTo(Outcome.DONE);
    }

    @Test
    void ordersWaitForRoomInMotion() {
        startAndSettle("a", "b");
        cluster.partitionsOf("a").subList(0, 14).forEach(p -> cluster.wish(new Wish.MovePartition(p, "b")));
        PlacementDecision decision = cluster.decide();
        assertThat(decision.moves()).hasSize(8).allMatch(move -> move.cause() == Cause.OPERATOR);
        assertThat(decision.answers())
                .filteredOn(answer -> answer.outcome() == Outcome.WAITING)
                .hasSize(6);
        cluster.run(Duration.ofSeconds(6));
        assertThat(counts("b")).containsExactly(46);
    }

    @Test
    void partitionThatAnOperatorMovedStays() {
        startAndSettle("a", "b");
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
        startAndSettle("a", "b", "c");
        cluster.partitionsOf("a").forEach(partition -> cluster.work(partition, 0.0115));
        cluster.partitionsOf("b").forEach(partition -> cluster.work(partition, 0.01));
        cluster.partitionsOf("c").forEach(partition -> cluster.work(partition, 0.0085));
        cluster.run(Duration.ofMinutes(10));
        assertThat(cluster.takeMoves()).isEmpty();
        double before = cluster.maxOverMean();
        assertThat(answer(new Wish.Rebalance()).outcome()).isEqualTo(Outcome.DONE);
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.takeMoves()).isNotEmpty().allMatch(move -> move.cause() == Cause.BALANCE);
        assertThat(cluster.maxOverMean()).isLessThan(before);
    }

    // ---- balance

    @Test
    void busyNodeIsRelievedWithAReasonInFigures() {
        startAndSettle("a", "b", "c", "d");
        List<Integer> ofA = cluster.partitionsOf("a");
        cluster.work(ofA.get(0), 0.3);
        cluster.work(ofA.get(1), 0.2);
        cluster.run(Duration.ofMinutes(3));
        List<Move> moves = cluster.takeMoves();
        assertThat(moves).isNotEmpty().allMatch(move -> move.cause() == Cause.BALANCE);
        assertThat(moves.get(0).describe())
                .matches("p\\d+ a -> [bcd]: a has \\d\\.\\d\\d of the mean load, [bcd] has 0\\.\\d\\d of the mean load,"
                        + " p\\d+ \\d\\.\\d\\d");
    }

    @Test
    void littleLoadIsNoReasonForMoves() {
        startAndSettle("a", "b", "c");
        cluster.work(cluster.partitionsOf("a").get(0), 0.01);
        cluster.work(cluster.partitionsOf("a").get(1), 0.01);
        cluster.run(Duration.ofHours(1), Duration.ofSeconds(5));
        assertThat(cluster.takeMoves()).isEmpty();
    }

    @Test
    void hotPartitionIsNotMovedFromNodeToNode() {
        startAndSettle("a", "b", "c");
        cluster.work(cluster.partitionsOf("a").get(0), 0.9);
        cluster.run(Duration.ofHours(2), Duration.ofSeconds(5));
        assertThat(cluster.takeMoves())
                .extracting(Move::partition)
                .doesNotHaveDuplicates()
                .hasSizeLessThan(22);
        assertThat(cluster.last().waits()).noneMatch(words -> words.startsWith("under way"));
    }

    @Test
    void loadsOfLessThanAMinuteMoveNothing() {
        cluster.start("a");
        cluster.start("b");
        cluster.run(Duration.ofSeconds(1));
        cluster.takeMoves();
        cluster.partitionsOf("a").forEach(partition -> cluster.work(partition, 0.02));
        cluster.wish(new Wish.Rebalance());
        cluster.run(Duration.ofSeconds(59));
        assertThat(cluster.takeMoves()).isEmpty();
        cluster.run(Duration.ofMinutes(2));
        assertThat(cluster.takeMoves()).isNotEmpty();
    }

    @Test
    void partitionDoesNotBecomeLightByBeingMoved() {
        startAndSettle("a", "b");
        cluster.partitionsOf("a").forEach(partition -> cluster.work(partition, 0.02));
        cluster.run(Duration.ofMinutes(3));
        double reached = cluster.maxOverMean();
        assertThat(reached).isLessThan(1.15);
        cluster.takeMoves();
        cluster.run(Duration.ofMinutes(30));
        assertThat(cluster.takeMoves()).isEmpty();
    }

    @Test
    void largeNodeCarriesMore() {
        cluster.start("small", capacity(1, Long.MAX_VALUE));
        cluster.start("large", capacity(4, Long.MAX_VALUE));
        for (int partition = 0; partition < 64; partition++) {
            cluster.work(partition, 0.02);
        }
        cluster.run(Duration.ofHours(1), Duration.ofSeconds(5));
        assertThat(counts("small").get(0)).isBetween(12, 15);
    }

    @Test
    void newControllerMovesNothingThatIsInBalance() {
        startAndSettle("a", "b", "c");
        for (int partition = 0; partition < 64; partition++) {
            cluster.work(partition, 0.01 + partition % 5 * 0.002);
        }
        cluster.run(Duration.ofMinutes(20));
        cluster.takeMoves();
        cluster.changeController();
        cluster.run(Duration.ofMinutes(20));
        assertThat(cluster.takeMoves()).isEmpty();
    }

    // ---- siblings

    @Test
    void siblingsAreApartFromTheFirstMapOn() {
        cluster.policy(PlacementPolicy.DEFAULT.withSiblings(List.of(Set.of(0, 3, 6))));
        cluster.start("a");
        cluster.start("b");
        cluster.start("c");
        cluster.decide();
        assertThat(owners(0, 3, 6)).doesNotHaveDuplicates();
    }

    @Test
    void siblingsPartAsSoonAsThereIsANodeForEach() {
        cluster.policy(PlacementPolicy.DEFAULT.withSiblings(List.of(Set.of(0, 2, 4))));
        startAndSettle("a", "b");
        assertThat(owners(0, 2, 4)).contains("a", "b");
        cluster.start("c");
        cluster.run(Duration.ofMinutes(15), Duration.ofSeconds(2));
        assertThat(owners(0, 2, 4)).doesNotHaveDuplicates();
        cluster.kill("c");
        cluster.run(Duration.ofMinutes(1));
        assertThat(owners(0, 2, 4)).contains("a", "b");
        cluster.takeMoves();
        cluster.run(Duration.ofHours(1), Duration.ofSeconds(5));
        assertThat(cluster.takeMoves()).isEmpty();
    }

    @Test
    void balanceKeepsSiblingsApart() {
        cluster.policy(PlacementPolicy.DEFAULT.withSiblings(List.of(Set.of(0, 1))));
        startAndSettle("a", "b");
        assertThat(owners(0, 1)).containsExactly("a", "b");
        cluster.work(0, 0.3);
        for (int partition : cluster.partitionsOf("a")) {
            cluster.work(partition, Math.max(0.004, partition == 0 ? 0.3 : 0));
        }
        cluster.run(Duration.ofMinutes(30), Duration.ofSeconds(2));
        assertThat(owners(0, 1)).doesNotHaveDuplicates();
    }

    // ---- helpers

    private void startAndSettle(String... ids) {
        List.of(ids).forEach(cluster::start);
        cluster.run(Duration.ofMinutes(2));
        cluster.takeMoves();
    }

    private List<Integer> counts(String... ids) {
        return List.of(ids).stream().map(id -> cluster.partitionsOf(id).size()).toList();
    }

    private List<String> owners(Integer... partitions) {
        return List.of(partitions).stream()
                .map(partition ->
                        cluster.map().entry(partition).owner().orElseThrow().id())
                .toList();
    }

    private Wish.Answer answer(Wish wish) {
        cluster.wish(wish);
        List<Wish.Answer> answers = cluster.decide().answers();
        return answers.get(answers.size() - 1);
    }

    private static NodeCapacity capacity(double load, long queues) {
        return new NodeCapacity(load, queues, Long.MAX_VALUE);
    }
}
