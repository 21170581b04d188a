package io.taskmaster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.GroupName;
import io.taskmaster.model.Partitions;
import io.taskmaster.placement.Move.Cause;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of placement at the sizes that clusters have. */
final class PlacementScaleTest {

    /**
     * The hottest of 20,000 groups is nearly a node's share, so its node has to lose most of the others. With 1,024
     * partitions these are so small that any order of moves takes 39 to 42 for that node alone.
     */
    @ParameterizedTest
    @CsvSource({"256, one, 40", "256, two, 40", "256, three, 40", "1024, one, 60"})
    void skewedLoadIsBalancedWithinTenMinutesByFewMovesAndThenStays(int partitions, String groups, int most) {
        VirtualCluster cluster = cluster(partitions, 10);
        cluster.work(zipf(partitions, 20_000, 1.0, groups, 5));
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.maxOverMean()).isGreaterThan(1.4);
        cluster.takeMoves();

        cluster.run(Duration.ofMinutes(10));
        assertThat(cluster.maxOverMean()).isLessThanOrEqualTo(1.15);
        assertThat(cluster.takeMoves()).hasSizeLessThanOrEqualTo(most).allMatch(move -> move.cause() == Cause.BALANCE);

        cluster.run(Duration.ofHours(1), Duration.ofSeconds(10));
        assertThat(cluster.takeMoves()).isEmpty();
    }

    @Test
    void deathAmongAHundredIsHandledInOneChangeBySmallSteps() {
        VirtualCluster cluster = cluster(1024, 100);
        cluster.work(zipf(1024, 20_000, 0.8, "group", 50));
        cluster.run(Duration.ofMinutes(15), Duration.ofSeconds(10));
        cluster.takeMoves();
        List<Integer> lost = cluster.partitionsOf("n042");
        long version = cluster.map().version();

        cluster.kill("n042");
        cluster.run(Duration.ofSeconds(10));

        List<Move> moves = cluster.takeMoves();
        assertThat(moves).filteredOn(move -> move.cause() == Cause.DEATH).hasSameSizeAs(lost);
        assertThat(moves)
                .filteredOn(move -> move.cause() == Cause.DEATH)
                .extracting(Move::to)
                .doesNotHaveDuplicates();
        assertThat(cluster.partitionsOf("n042")).isEmpty();
        assertThat(cluster.map().version()).isEqualTo(version + 1);
    }

    @Test
    void mapOfAHundredNodesIsSmall() {
        VirtualCluster cluster = new VirtualCluster(1024, PlacementPolicy.DEFAULT);
        for (int node = 0; node < 100; node++) {
            cluster.start("taskmaster-%d.taskmaster.production.svc.cluster.local".formatted(node));
        }
        cluster.decide();
        assertThat(cluster.map().nodes()).hasSize(100);
        assertThat(PartitionMapCodec.encode(cluster.map()).size()).isBetween(4 * 1024, 20_000);
    }

    static VirtualCluster cluster(int partitions, int nodes) {
        VirtualCluster cluster = new VirtualCluster(partitions, PlacementPolicy.DEFAULT);
        for (int node = 0; node < nodes; node++) {
            cluster.start("n%03d".formatted(node));
        }
        return cluster;
    }

    /** Returns the work of each partition, in processors, if the loads of groups follow Zipf's law. */
    static double[] zipf(int partitions, int groups, double exponent, String prefix, double total) {
        double[] work = new double[partitions];
        double sum = 0;
        for (int rank = 1; rank <= groups; rank++) {
            sum += Math.pow(rank, -exponent);
        }
        for (int rank = 1; rank <= groups; rank++) {
            int partition = Partitions.partitionOf(GroupName.of(prefix + "-" + rank), partitions);
            work[partition] += total * Math.pow(rank, -exponent) / sum;
        }
        return work;
    }
}
