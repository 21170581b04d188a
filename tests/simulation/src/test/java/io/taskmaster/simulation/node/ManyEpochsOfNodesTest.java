package io.taskmaster.simulation.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.server.store.Table;
import io.taskmaster.simulation.load.Recorder;
import io.taskmaster.simulation.network.Network;
import io.taskmaster.simulation.network.NetworkOdds;
import io.taskmaster.simulation.world.Scenario;
import io.taskmaster.simulation.world.World;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests of nodes that start and end thousands of times, crashed or shut down: the cost of a start does not grow, and
 * records stay short.
 */
final class ManyEpochsOfNodesTest {

    private static final int NODES = 2_000;
    private static final int SPAN = 200;
    private static final int MAX_EVENTS = 100_000;

    /** The share of crashing nodes that live for a flush round first: one in this number. */
    private static final int LIVES_LONGER = 10;

    @Test
    void whatAStartCostsDoesNotGrow() {
        World world = new World(5, false);
        world.heal();
        Network network = new Network(world, NetworkOdds.draw(world));
        network.heal();
        NodeSettings settings = NodeSettings.draw(world);
        Cluster cluster = new Cluster(
                world, network, settings, Scenario.crashing(Map.of()), new Recorder(world), Integer.MAX_VALUE);
        long early = 0;
        long late = 0;
        int earlyBytes = 0;
        int lateBytes = 0;
        for (int i = 1; i <= NODES; i++) {
            long before = world.events();
            NodeProcess node = cluster.start();
            while (!node.isServing()) {
                step(world, before);
            }
            long events = world.events() - before;
            int bytes = cluster.rows().maxRecordBytes(settings.partitions());
            if (i > SPAN && i <= 2 * SPAN) {
                early = Math.max(early, events);
                earlyBytes = Math.max(earlyBytes, bytes);
            } else if (i > NODES - SPAN) {
                late = Math.max(late, events);
                lateBytes = Math.max(lateBytes, bytes);
            }
            if (i % LIVES_LONGER == 0) {
                long until = world.micros() + 1_000_000;
                while (world.hasEventsBefore(until)) {
                    world.step();
                }
            }
            if (i % 3 == 0) {
                node.shutDown();
                while (node.isUp()) {
                    step(world, before);
                }
            } else {
                node.process().crash("the next one is to come");
            }
            while (world.hasEvents()) {
                world.step();
            }
        }
        assertThat(late).as("events of a start, at first %d", early).isLessThanOrEqualTo(early * 5 / 4);
        assertThat(lateBytes).as("bytes of the longest record").isLessThanOrEqualTo(earlyBytes + 32);
        assertThat(cluster.rows().size(Table.LOG)).isLessThanOrEqualTo(settings.partitions() * (NODES + SPAN));
    }

    private static void step(World world, long before) {
        assertThat(world.events() - before).isLessThan(MAX_EVENTS);
        assertThat(world.hasEvents()).isTrue();
        world.step();
        world.throwIfBroken();
    }
}
