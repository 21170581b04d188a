package io.taskmaster.simulation.node;

import io.taskmaster.simulation.load.Recorder;
import io.taskmaster.simulation.network.Network;
import io.taskmaster.simulation.network.NetworkOdds;
import io.taskmaster.simulation.store.FaultyStore;
import io.taskmaster.simulation.store.StoredRows;
import io.taskmaster.simulation.store.Tampering;
import io.taskmaster.simulation.world.OwnerProcess;
import io.taskmaster.simulation.world.ProcessClock;
import io.taskmaster.simulation.world.Scenario;
import io.taskmaster.simulation.world.World;
import java.util.ArrayList;
import java.util.List;

/**
 * The nodes on one store, with their supervisor, which starts and ends nodes and sets their clocks. Single-threaded:
 * owned by the simulation.
 */
final class Cluster {

    private static final int MAX_NODES = 5;

    /** The number of unanswered commands from which on clients avoid a node. */
    private static final int MAX_OWED = 8;

    private final World world;
    private final Network network;
    private final NodeSettings settings;
    private final Scenario scenario;
    private final Recorder recorder;
    private final int maxCalls;
    private final StoredRows rows = new StoredRows();
    private final Tampering tampering;
    private final Journals journals;
    private final List<NodeProcess> nodes = new ArrayList<>();
    private boolean over;

    Cluster(World world, Network network, NodeSettings settings, Scenario scenario, Recorder recorder, int maxCalls) {
        this.world = world;
        this.network = network;
        this.settings = settings;
        this.scenario = scenario;
        this.recorder = recorder;
        this.maxCalls = maxCalls;
        this.tampering = new Tampering(rows, scenario.reverted(), Tenure::new);
        this.journals = new Journals(
                settings.partitions(), settings.partition().engine().dedupMillis(), tampering);
    }

    StoredRows rows() {
        return rows;
    }

    Network network() {
        return network;
    }

    Journals journals() {
        return journals;
    }

    List<NodeProcess> nodes() {
        return nodes;
    }

    boolean isOver() {
        return over || recorder.size() >= maxCalls;
    }

    /** Starts a node. */
    NodeProcess start() {
        NetworkOdds faults = network.faults();
        long skew = world.faults.skewMillis();
        ProcessClock clock = new ProcessClock(
                world,
                skew == 0 ? 0 : world.random.nextLong(-skew, skew + 1),
                faults.maxDrift() == 0 ? 0 : world.random.nextDouble(-faults.maxDrift(), faults.maxDrift()));
        OwnerProcess process = new OwnerProcess(world, "N" + (nodes.size() + 1), clock);
        process.crashAtStep(scenario.crashes().getOrDefault(nodes.size() + 1, Long.MAX_VALUE));
        FaultyStore store = new FaultyStore(world, rows, process, tampering);
        NodeProcess node = new NodeProcess(world, process, store, settings, journals, world.random.split());
        process.atItsEnd(node::disconnectAll);
        nodes.add(node);
        node.start();
        return node;
    }

    /** Starts supervision. From now on a node is started soon while none is up, and sometimes although one is. */
    void supervise() {
        world.in(world.logUniform(100, 5_000), () -> {
            if (!isOver()) {
                monitor();
                supervise();
            }
        });
    }

    private void monitor() {
        List<NodeProcess> up = nodes.stream().filter(NodeProcess::isUp).toList();
        boolean someoneWorks = up.stream()
                .anyMatch(node -> !node.isDraining() && !node.process().isPaused());
        if (nodes.size() < MAX_NODES) {
            if (up.isEmpty() || world.chance(someoneWorks ? world.faults.rival() : .2)) {
                // The old nodes live on for a while, so that two nodes at a time believe that they own the data.
                up.forEach(this::endLater);
                start();
            }
        } else if (up.isEmpty()) {
            over = true;
        }
        NetworkOdds faults = network.faults();
        if (!up.isEmpty() && world.chance(faults.shutdown())) {
            world.oneOf(up).shutDown();
        }
        if (!up.isEmpty() && world.chance(faults.clockSet())) {
            world.oneOf(up)
                    .process()
                    .setClock((world.chance(.5) ? 1 : -1) * world.logUniform(1, faults.maxStepMillis()));
        }
    }

    /** Lets a node that has a successor go on for a while, as if it had none; then ends it. */
    private void endLater(NodeProcess zombie) {
        world.in(world.logUniform(1_000, 2_000_000), () -> {
            if (world.chance(.5)) {
                zombie.shutDown();
                world.in(500_000, () -> zombie.process().crash("did not end in time"));
            } else {
                zombie.process().crash("is replaced");
            }
        });
    }

    /** Returns the nodes that clients may call. Some of them are deposed, some have partitions that are not ready. */
    List<NodeProcess> nodesThatAnswer() {
        return nodes.stream()
                .filter(node -> node.isListening() && node.owed() < MAX_OWED)
                .toList();
    }

    /** The largest deviation from the right time that any node can ever have had, in milliseconds. */
    long clockSlackMillis() {
        return nodes.stream()
                .mapToLong(node -> node.process().clockSlackMillis())
                .max()
                .orElse(0);
    }

    /** Crashes all nodes. */
    void crashAll() {
        nodes.forEach(node -> node.process().crash("end of the run"));
    }

    /** Checks the invariants of all partitions in memory. */
    void check() {
        nodes.forEach(NodeProcess::check);
    }
}
