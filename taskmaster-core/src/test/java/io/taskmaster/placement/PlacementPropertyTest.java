package io.taskmaster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.placement.ClusterMember.State;
import io.taskmaster.tests.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of placement with random nodes, loads and events. {@link DecisionRules} checks each decision; here are the
 * rules about what becomes of a cluster after its last event.
 */
final class PlacementPropertyTest {

    private static final int EVENTS = 40;

    private SplittableRandom random = new SplittableRandom();
    private VirtualCluster cluster = new VirtualCluster(1, PlacementPolicy.DEFAULT);
    private int partitions;
    private int nodes;
    private List<Set<Integer>> siblings = List.of();

    static LongStream seeds() {
        return LongStream.range(0, Profile.isSlow() ? 200 : 12);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyDecisionKeepsTheRulesAndTheClusterComesToRest(long seed) {
        random = new SplittableRandom(seed);
        begin();
        for (int event = 0; event < EVENTS; event++) {
            happen();
            // A few times soon after another, else after up to an hour or two.
            Duration until = Duration.ofSeconds(random.nextInt(random.nextInt(3) == 0 ? 6_000 : 40) + 1);
            cluster.run(until, until.toSeconds() > 300 ? Duration.ofSeconds(10) : Duration.ofSeconds(1));
        }
        heal();
        cluster.run(Duration.ofMinutes(40), Duration.ofSeconds(5));
        cluster.takeMoves();
        cluster.run(Duration.ofHours(1), Duration.ofSeconds(5));
        assertThat(cluster.takeMoves()).isEmpty();
        assertThat(cluster.isMoving()).isFalse();
        assertSiblingsAreApart();
        assertNoNodeIsEmptyBesideAFullOne();
    }

    private void begin() {
        partitions = 8 << random.nextInt(5);
        nodes = random.nextInt(1, 8);
        siblings = new ArrayList<>();
        int sets = random.nextInt(3);
        for (int set = 0; set < sets; set++) {
            Set<Integer> some = new HashSet<>();
            int size = random.nextInt(2, 5);
            for (int one = 0; one < size; one++) {
                some.add(random.nextInt(partitions / sets) * sets + set);
            }
            siblings.add(some);
        }
        cluster = new VirtualCluster(partitions, PlacementPolicy.DEFAULT.withSiblings(siblings));
        for (int node = 0; node < nodes; node++) {
            if (random.nextInt(4) > 0) {
                cluster.start(id(node));
            }
        }
        load();
    }

    private void happen() {
        int node = random.nextInt(nodes);
        String id = id(node);
        boolean isMember = cluster.nodes().containsKey(id);
        switch (random.nextInt(12)) {
            case 0 -> cluster.start(id);
            case 1 -> cluster.startCold(id);
            case 2 -> {
                if (isMember) {
                    cluster.kill(id);
                }
            }
            case 3 -> {
                if (isMember) {
                    cluster.become(id, State.LEAVING);
                }
            }
            case 4 -> {
                if (isMember) {
                    cluster.stop(id);
                }
            }
            case 5 -> cluster.forget(id);
            case 6 -> cluster.wish(random.nextBoolean() ? new Wish.Drain(id) : new Wish.Undrain(id));
            case 7 -> cluster.wish(new Wish.MovePartition(random.nextInt(partitions + 1), id));
            case 8 -> cluster.wish(new Wish.Rebalance());
            case 9 -> {
                if (isMember) {
                    cluster.stuck(id, random.nextBoolean());
                }
            }
            case 10 -> cluster.changeController();
            default -> load();
        }
    }

    private void load() {
        double exponent = random.nextDouble(1.2);
        for (int partition = 0; partition < partitions; partition++) {
            double rank = 1 + random.nextInt(partitions);
            cluster.work(partition, random.nextInt(10) == 0 ? 0 : nodes * Math.pow(rank, -exponent) / partitions);
        }
        cluster.handover(Duration.ofSeconds(random.nextInt(5)));
    }

    /** Lets all nodes serve that can, and at least two. */
    private void heal() {
        for (int node = 0; node < Math.max(2, nodes); node++) {
            String id = id(node);
            cluster.wish(new Wish.Undrain(id));
            if (!cluster.nodes().containsKey(id) || !cluster.isWell(id)) {
                cluster.start(id);
            }
        }
    }

    private void assertSiblingsAreApart() {
        int willing = cluster.nodes().size();
        for (Set<Integer> set : siblings) {
            long owners = set.stream()
                    .map(partition -> cluster.map().entry(partition).owner())
                    .distinct()
                    .count();
            assertThat(owners).as("nodes of siblings %s", set).isEqualTo(Math.min(willing, set.size()));
        }
    }

    private void assertNoNodeIsEmptyBesideAFullOne() {
        for (String id : cluster.nodes().keySet()) {
            if (partitions >= 4 * cluster.nodes().size()) {
                assertThat(cluster.partitionsOf(id)).as(id).isNotEmpty();
            }
        }
    }

    private static String id(int node) {
        return "node-" + node;
    }
}
