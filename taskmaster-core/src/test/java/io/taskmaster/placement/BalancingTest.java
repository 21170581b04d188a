package io.taskmaster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.placement.Move.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the moves that loads and siblings cause. */
final class BalancingTest {

    private final VirtualCluster cluster = new VirtualCluster(64, PlacementPolicy.DEFAULT);

    @Test
    void busyNodeIsRelievedWithAReasonInFigures() {
        cluster.startAndSettle("a", "b", "c", "d");
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
        cluster.startAndSettle("a", "b", "c");
        cluster.work(cluster.partitionsOf("a").get(0), 0.01);
        cluster.work(cluster.partitionsOf("a").get(1), 0.01);
        cluster.run(Duration.ofHours(1), Duration.ofSeconds(5));
        assertThat(cluster.takeMoves()).isEmpty();
    }

    @Test
    void hotPartitionIsNotMovedFromNodeToNode() {
        cluster.startAndSettle("a", "b", "c");
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
    void loadsThatAreOnlyAssumedMakeNoNodeBusy() {
        NodeRef a = new NodeRef("a", 1, "a:7400");
        NodeRef b = new NodeRef("b", 2, "b:7400");
        List<MapEntry> entries = new ArrayList<>();
        List<PartitionLoad> loads = new ArrayList<>();
        for (int partition = 0; partition < 30; partition++) {
            NodeRef owner = partition < 10 ? a : b;
            Duration measured = partition <= 10 ? Duration.ofMinutes(5) : Duration.ofSeconds(10);
            entries.add(new MapEntry(Optional.of(owner), Optional.empty(), 1));
            loads.add(new PartitionLoad(partition, owner, partition < 10 ? 0.03 : 0.01, measured, 1, 1));
        }
        Instant now = Instant.EPOCH;
        PlacementHistory history = PlacementHistory.EMPTY;
        PlacementHistory due = new PlacementHistory(
                history.movedAt(),
                history.loads(),
                history.lastSeen(),
                history.failed(),
                history.filling(),
                Optional.of(now.minusSeconds(60)),
                false);
        List<ClusterMember> members = Stream.of(a, b)
                .map(node -> new ClusterMember(
                        node, ClusterMember.State.SERVING, Duration.ofHours(1), NodeCapacity.unlimited()))
                .toList();
        Situation situation =
                new Situation(new PartitionMap(1, entries), members, Set.of(), loads, due, List.of(), now);
        assertThat(Placement.decide(situation, PlacementPolicy.DEFAULT).moves()).isEmpty();
    }

    @Test
    void partitionDoesNotBecomeLightByBeingMoved() {
        cluster.startAndSettle("a", "b");
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
        cluster.start("small", VirtualCluster.capacity(1, Long.MAX_VALUE));
        cluster.start("large", VirtualCluster.capacity(4, Long.MAX_VALUE));
        for (int partition = 0; partition < 64; partition++) {
            cluster.work(partition, 0.02);
        }
        cluster.run(Duration.ofHours(1), Duration.ofSeconds(5));
        assertThat(cluster.counts("small").get(0)).isBetween(12, 15);
    }

    @Test
    void newControllerMovesNothingThatIsInBalance() {
        cluster.startAndSettle("a", "b", "c");
        for (int partition = 0; partition < 64; partition++) {
            cluster.work(partition, 0.01 + partition % 5 * 0.002);
        }
        cluster.run(Duration.ofMinutes(20));
        cluster.takeMoves();
        cluster.changeController();
        cluster.run(Duration.ofMinutes(20));
        assertThat(cluster.takeMoves()).isEmpty();
    }

    @Test
    void siblingsAreApartFromTheFirstMapOn() {
        cluster.policy(PlacementPolicy.DEFAULT.withSiblings(List.of(Set.of(0, 3, 6))));
        cluster.start("a");
        cluster.start("b");
        cluster.start("c");
        cluster.decide();
        assertThat(cluster.owners(0, 3, 6)).doesNotHaveDuplicates();
    }

    @Test
    void siblingsPartAsSoonAsThereIsANodeForEach() {
        cluster.policy(PlacementPolicy.DEFAULT.withSiblings(List.of(Set.of(0, 2, 4))));
        cluster.startAndSettle("a", "b");
        assertThat(cluster.owners(0, 2, 4)).contains("a", "b");
        cluster.start("c");
        cluster.run(Duration.ofMinutes(15), Duration.ofSeconds(2));
        assertThat(cluster.owners(0, 2, 4)).doesNotHaveDuplicates();
        cluster.kill("c");
        cluster.run(Duration.ofMinutes(1));
        assertThat(cluster.owners(0, 2, 4)).contains("a", "b");
        cluster.takeMoves();
        cluster.run(Duration.ofHours(1), Duration.ofSeconds(5));
        assertThat(cluster.takeMoves()).isEmpty();
    }

    @Test
    void balanceKeepsSiblingsApart() {
        cluster.policy(PlacementPolicy.DEFAULT.withSiblings(List.of(Set.of(0, 1))));
        cluster.startAndSettle("a", "b");
        assertThat(cluster.owners(0, 1, 2, 4)).containsExactly("a", "b", "a", "a");
        // The best move would be that of p0.
        cluster.work(0, 0.18);
        cluster.work(2, 0.11);
        cluster.work(4, 0.11);
        cluster.run(Duration.ofMinutes(10));
        assertThat(cluster.takeMoves())
                .isNotEmpty()
                .allMatch(move -> move.cause() == Cause.BALANCE)
                .extracting(Move::partition)
                .doesNotContain(0);
    }

    @Test
    void bestMoveIsTheOneThatReachesTheAim() {
        cluster.startAndSettle("a", "b");
        assertThat(cluster.owners(0, 2, 4)).containsOnly("a");
        cluster.work(0, 0.18);
        cluster.work(2, 0.11);
        cluster.work(4, 0.11);
        cluster.run(Duration.ofMinutes(10));
        assertThat(cluster.takeMoves()).extracting(Move::partition).containsExactly(0);
    }
}
