package io.taskmaster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.placement.Move.Cause;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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
        assertThat(cluster.owners(0, 1)).containsExactly("a", "b");
        cluster.work(0, 0.3);
        for (int partition : cluster.partitionsOf("a")) {
            cluster.work(partition, Math.max(0.004, partition == 0 ? 0.3 : 0));
        }
        cluster.run(Duration.ofMinutes(30), Duration.ofSeconds(2));
        assertThat(cluster.owners(0, 1)).doesNotHaveDuplicates();
    }
}
