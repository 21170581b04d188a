package io.taskmaster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.placement.ClusterMember.State;
import io.taskmaster.tests.Slow;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Prints the table of docs/measurements/2026-11-26-placement.md, and judges its figures. */
@Slow
final class PlacementTableTest {

    private static final int GROUPS = 20_000;
    private static final int SEEDS = 5;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final Duration STEP = Duration.ofSeconds(5);

    @ParameterizedTest
    @CsvSource({
        "256, 3",
        "256, 10",
        "1024, 10",
        "256, 100",
        "1024, 100",
        "4096, 100",
    })
    void loadIsBalancedAsFarAsTheHottestPartitionAllows(int partitions, int nodes) {
        for (double exponent : new double[] {0, 0.8, 1.0}) {
            double[] sums = new double[5];
            for (int seed = 0; seed < SEEDS; seed++) {
                Run run = new Run(partitions, nodes, exponent, "seed-" + seed);
                double before = run.maxOverMean();
                run.pass(Duration.ofMinutes(30));
                double after = run.maxOverMean();
                int moves = run.moves;
                run.pass(Duration.ofHours(1));
                assertThat(run.moves).as("moves once it is balanced").isEqualTo(moves);
                double hottest = Arrays.stream(run.work).max().orElseThrow() / run.mean();
                assertThat(after).isLessThanOrEqualTo(Math.max(1.25, 1.15 * hottest));
                double[] figures = {before, after, moves, run.minutes, hottest};
                Arrays.setAll(sums, i -> sums[i] + figures[i] / SEEDS);
            }
            System.out.printf(
                    "| %,d x %d | %.1f | %.2f | %.2f | %.0f | %.0f | %.2f |%n",
                    partitions, nodes, exponent, sums[0], sums[1], sums[2], sums[3], sums[4]);
        }
    }

    @Test
    void decisionTakesLessThanFiftyMillisecondsOfAProcessor() {
        List<Double> millis = new ArrayList<>();
        for (int seed = 0; seed < 6; seed++) {
            Run run = new Run(1024, 100, 0.8, "time-" + seed);
            run.pass(Duration.ofMinutes(10));
            if (seed > 0) {
                run.kill(7);
                run.pass(Duration.ofMinutes(5));
                millis.addAll(run.millis);
            }
        }
        millis.sort(null);
        System.out.printf(
                "1,024 x 100: %,d decisions, p50 %.1f ms, p99 %.1f ms, longest %.1f ms%n",
                millis.size(),
                millis.get(millis.size() / 2),
                millis.get(millis.size() * 99 / 100),
                millis.get(millis.size() - 1));
        assertThat(millis.get(millis.size() * 99 / 100)).isLessThan(50);
    }

    /** One cluster in which every move is done at the next step. */
    private static final class Run {

        private final double[] work;
        private final Instant[] openedAt;
        private final List<ClusterMember> members = new ArrayList<>();
        private final List<Double> millis = new ArrayList<>();
        private PartitionMap map;
        private PlacementHistory history = PlacementHistory.EMPTY;
        private Instant now = Instant.EPOCH;
        private int moves;
        private double minutes;

        Run(int partitions, int nodes, double exponent, String groups) {
            work = PlacementScaleTest.zipf(partitions, GROUPS, exponent, groups, nodes / 2.0);
            openedAt = new Instant[partitions];
            Arrays.fill(openedAt, now);
            map = PartitionMap.unplaced(partitions, 0);
            for (int node = 0; node < nodes; node++) {
                NodeRef ref = new NodeRef("node-%02d".formatted(node), node, "10.0.0.%d:7400".formatted(node));
                members.add(new ClusterMember(ref, State.SERVING, Duration.ofHours(1), NodeCapacity.unlimited()));
            }
            decide();
            moves = 0;
        }

        void kill(int node) {
            ClusterMember member = members.get(node);
            members.set(node, new ClusterMember(member.node(), State.DEAD, Duration.ofSeconds(10), member.capacity()));
        }

        void pass(Duration time) {
            Instant end = now.plus(time);
            while (now.isBefore(end)) {
                now = now.plus(STEP);
                decide();
            }
        }

        private void decide() {
            Situation situation = new Situation(map, members, Set.of(), loads(), history, List.of(), now);
            long began = THREADS.getCurrentThreadCpuTime();
            PlacementDecision decision = Placement.decide(situation, PlacementPolicy.DEFAULT);
            millis.add((THREADS.getCurrentThreadCpuTime() - began) / 1e6);
            for (Move move : decision.moves()) {
                openedAt[move.partition()] = now;
                moves++;
                minutes = Duration.between(Instant.EPOCH, now).toSeconds() / 60.0;
            }
            map = decision.map();
            history = decision.history();
        }

        private List<PartitionLoad> loads() {
            List<PartitionLoad> loads = new ArrayList<>();
            for (int partition = 0; partition < map.size(); partition++) {
                Optional<NodeRef> owner = map.entry(partition).owner();
                if (owner.isPresent()) {
                    Duration measured = Duration.between(openedAt[partition], now);
                    loads.add(new PartitionLoad(partition, owner.get(), work[partition], measured, 20, 1_000_000));
                }
            }
            return loads;
        }

        double mean() {
            return Arrays.stream(work).sum() / members.size();
        }

        double maxOverMean() {
            double[] loads = new double[members.size()];
            for (int partition = 0; partition < map.size(); partition++) {
                NodeRef owner = map.entry(partition).owner().orElseThrow();
                loads[(int) owner.incarnation()] += work[partition];
            }
            return Arrays.stream(loads).max().orElseThrow() / mean();
        }
    }
}
