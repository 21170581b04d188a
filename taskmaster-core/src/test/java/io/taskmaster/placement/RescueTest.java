package io.taskmaster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.placement.Move.Cause;
import io.taskmaster.placement.Wish.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the placement of partitions that no node serves. */
final class RescueTest {

    private final VirtualCluster cluster = new VirtualCluster(64, PlacementPolicy.DEFAULT);

    @Test
    void firstMapSpreadsAllPartitionsEvenly() {
        cluster.start("a");
        cluster.start("b");
        cluster.start("c");
        PlacementDecision decision = cluster.decide();
        assertThat(decision.map().version()).isEqualTo(42);
        assertThat(cluster.counts("a", "b", "c")).containsExactlyInAnyOrder(22, 21, 21);
        assertThat(decision.moves())
                .hasSize(64)
                .allMatch(move -> move.cause() == Cause.FIRST && move.from().isEmpty());
        assertThat(decision.moves().get(0).describe()).isEqualTo("p0 none -> a: first map");
        assertThat(cluster.isMoving()).isFalse();
    }

    @Test
    void firstMapGoesByCapacity() {
        cluster.start("small", VirtualCluster.capacity(1, Long.MAX_VALUE));
        cluster.start("large", VirtualCluster.capacity(3, Long.MAX_VALUE));
        cluster.decide();
        assertThat(cluster.counts("small", "large")).containsExactly(16, 48);
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
        assertThat(cluster.counts("cold")).containsExactly(64);

        VirtualCluster other = new VirtualCluster(64, PlacementPolicy.DEFAULT);
        other.startCold("cold");
        other.start("warm");
        other.decide();
        assertThat(other.partitionsOf("warm")).hasSize(64);
    }

    @Test
    void partitionsOfADeadNodeAreSpreadOverAllSurvivorsInOneChange() {
        cluster.startAndSettle("a", "b", "c", "d");
        long version = cluster.map().version();
        cluster.kill("b");
        cluster.run(Duration.ofSeconds(9));
        assertThat(cluster.takeMoves()).isEmpty();
        cluster.run(Duration.ofSeconds(1));
        List<Move> moves = cluster.takeMoves();
        assertThat(moves).hasSize(16).allMatch(move -> move.cause() == Cause.DEATH);
        assertThat(moves.get(0).reason()).matches("b#[0-9a-f]{16} is dead");
        assertThat(cluster.map().version()).isEqualTo(version + 1);
        assertThat(cluster.counts("a", "c", "d")).containsExactlyInAnyOrder(22, 21, 21);
    }

    @Test
    void heavyPartitionsOfADeadNodeGoToNodesWithRoom() {
        cluster.startAndSettle("a", "b", "c");
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
        int before = cluster.counts("idle").get(0);
        int dying = cluster.counts("e").get(0);
        cluster.kill("e");
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.counts("idle").get(0) - before).isLessThanOrEqualTo((dying + 1) / 2);
    }

    @Test
    void coldNodeIsSparedWhenAnotherDies() {
        cluster.startAndSettle("a", "b", "c");
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(9));
        cluster.start("fresh");
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.counts("fresh")).containsExactly(1);
        assertThat(cluster.counts("b", "c").stream().mapToInt(count -> count).sum())
                .isEqualTo(63);
    }

    @Test
    void moreThanAThirdDeadAtOnceAreWaitedForThreeTimesAsLong() {
        cluster.startAndSettle("a", "b", "c", "d", "e");
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
        cluster.startAndSettle("a", "b", "c", "d", "e", "f");
        cluster.kill("a");
        cluster.kill("b");
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.partitionsOf("a")).isEmpty();
        assertThat(cluster.partitionsOf("b")).isEmpty();
    }

    @Test
    void oneOfTwoNodesIsNotTooMany() {
        cluster.startAndSettle("a", "b");
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(10));
        assertThat(cluster.counts("b")).containsExactly(64);
    }

    @Test
    void nothingElseMovesWhileManyAreSilent() {
        cluster.startAndSettle("a", "b", "c", "d", "e");
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
        cluster.startAndSettle("a");
        cluster.kill("a");
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.takeMoves()).isEmpty();
        assertThat(cluster.last().waits()).containsExactly("64 partitions have no owner: no node serves");
        cluster.start("b");
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.counts("b")).containsExactly(64);
    }

    @Test
    void nodeThatWasForgottenOrHasEndedIsGoneAtOnce() {
        cluster.startAndSettle("a", "b", "c", "d");
        cluster.forget("a");
        cluster.stop("b");
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.counts("c", "d")).containsExactly(32, 32);
        assertThat(cluster.takeMoves().get(0).reason()).endsWith(" has ended");
    }

    @Test
    void pausedNodeComesBackEmptyAndIsFilledAgain() {
        cluster.startAndSettle("a", "b", "c");
        NodeRef paused = cluster.ref("a");
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(20));
        cluster.takeMoves();
        cluster.awake("a");
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.counts("a")).containsExactly(1);
        cluster.run(Duration.ofMinutes(2));
        assertThat(cluster.counts("a").get(0)).isBetween(19, 22);
        assertThat(cluster.takeMoves())
                .allMatch(move -> move.cause() == Cause.JOIN && move.to().equals(paused));
    }

    @Test
    void restartedNodeGetsItsPartitionsBackInOneChange() {
        cluster.startAndSettle("a", "b", "c");
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
        cluster.startAndSettle("a", "b", "c");
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
        cluster.startAndSettle("a");
        cluster.kill("a");
        cluster.run(Duration.ofSeconds(31));
        cluster.start("a");
        cluster.start("b");
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.takeMoves()).hasSize(64).allMatch(move -> move.cause() == Cause.DEATH);
        assertThat(cluster.counts("a", "b")).containsExactly(32, 32);
    }

    @Test
    void restartedNodeThatIsDrainedGetsNothingBack() {
        cluster.startAndSettle("a", "b", "c");
        cluster.wish(new Wish.Drain("a"));
        cluster.decide();
        cluster.kill("a");
        cluster.start("a");
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.counts("a")).containsExactly(0);
    }
}
