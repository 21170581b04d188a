package io.taskmaster.simulation.node;

import io.taskmaster.simulation.judge.Judge;
import io.taskmaster.simulation.load.RandomRequests;
import io.taskmaster.simulation.load.Recorder;
import io.taskmaster.simulation.network.Network;
import io.taskmaster.simulation.network.NetworkFaults;
import io.taskmaster.simulation.world.Scenario;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.simulation.world.World;
import io.taskmaster.testkit.history.RecordedCall;
import io.taskmaster.testkit.oracle.Oracle;
import io.taskmaster.testkit.oracle.OracleSettings;
import io.taskmaster.testkit.oracle.Verdict;
import java.time.Duration;
import java.util.List;

/**
 * One run of whole nodes: clients, a network, up to five nodes, a store, all faults; then everything in flight lands or is lost, the
 * faults heal, and three more nodes, one after the other, are asked for all there is ({@link ClosingPhase}). The first of them
 * crashes, the second ends in good order, through the third every queue is drained. Then the {@link Judge} looks at what every
 * partition answered, and the {@link Oracle} at what the clients were told. Single-threaded.
 */
public final class NodeSimulation {

    private static final int MAX_EVENTS = 2_000_000;

    /** Who waits for the oracle alone does not wait that long: few worlds have a tenth of it. */
    private static final int MAX_EVENTS_UNJUDGED = 200_000;

    private static final long MAX_SETTLE_MICROS = 120_000_000;

    /** Nothing is on its way for longer. */
    private static final long IN_FLIGHT_MICROS = 10_000_000;

    /**
     * What came of a run.
     *
     * @param calls what the clients asked and were told
     * @param checked what the oracle had to look at
     * @param steps how many steps the first node did
     * @param states how many states the judge had to carry along; 0: too many to say anything of some partition
     */
    public record Result(
            List<RecordedCall> calls,
            Verdict.Checked checked,
            int commands,
            long events,
            int nodes,
            long steps,
            int states,
            List<String> trace) {}

    private final World world;
    private final Network network;
    private final RandomRequests requests;
    private final Recorder recorder;
    private final Cluster cluster;
    private final int clients;
    private final int checkEvery;

    /** How long request ids are remembered. */
    private final long dedupMillis;

    /** Whether nobody looks but clients. */
    private final boolean oracleAlone;

    private NodeSimulation(long seed, Scenario scenario, boolean tracing, boolean oracleAlone) {
        this.oracleAlone = oracleAlone;
        this.world = new World(seed, tracing);
        this.network = new Network(world, NetworkFaults.draw(world));
        NodeSettings settings = NodeSettings.draw(world);
        this.dedupMillis = settings.partition().engine().dedupMillis();
        this.recorder = new Recorder(world);
        this.requests = new RandomRequests(world);
        this.clients = 2 + world.random.nextInt(4);
        this.checkEvery = 1 + world.random.nextInt(50);
        int maxCalls = (int) world.logUniform(20, 200);
        this.cluster = new Cluster(world, network, settings, scenario, recorder, maxCalls);
        if (scenario.faulty()) {
            world.faults = world.faults.spread(settings.partitions());
        } else {
            world.heal();
            network.heal();
        }
        world.say(() -> settings + ", " + world.faults + ", " + network.faults());
    }

    private Result run() {
        long steps = play();
        world.throwIfBroken();
        int states = cluster.journals().judge();
        Verdict verdict = oracle(true);
        if (!verdict.isClean()) {
            throw new Violation("the oracle: " + verdict);
        }
        return new Result(
                recorder.history().calls(),
                verdict.checked(),
                cluster.journals().commands(),
                world.events(),
                cluster.nodes().size(),
                steps,
                states,
                world.trace());
    }

    /** All that happens. How many steps the first node did. */
    private long play() {
        cluster.supervise();
        for (int i = 0; i < clients; i++) {
            new ContractClient(world, "c" + i, cluster, requests, recorder).thinkThenAsk();
        }
        while (!cluster.isOver()) {
            step();
        }
        if (world.chance(.5)) {
            heal();
            awaitAnswers();
        }
        long steps = cluster.nodes().isEmpty()
                ? 0
                : cluster.nodes().getFirst().process().steps();
        cluster.crashAll();
        long landed = world.micros() + IN_FLIGHT_MICROS;
        while (world.hasEventsBefore(landed)) {
            step();
        }
        heal();
        new ClosingPhase(world, cluster, requests, recorder, this::step).run();
        return steps;
    }

    /**
     * @param drained whether everything was dequeued in the end
     */
    private Verdict oracle(boolean drained) {
        OracleSettings settings = OracleSettings.DEFAULT
                .withClockSlack(Duration.ofMillis(cluster.clockSlackMillis()))
                .withDedupWindow(Duration.ofMillis(dedupMillis));
        return Oracle.judge(recorder.history(), drained ? settings.drained() : settings);
    }

    private void heal() {
        world.heal();
        network.heal();
    }

    /** Without faults, whoever is up answers everybody, be it with an error, and counts nobody any more. */
    private void awaitAnswers() {
        long deadline = world.micros() + MAX_SETTLE_MICROS;
        while (cluster.nodes().stream().anyMatch(NodeProcess::isBusy)) {
            if (world.micros() > deadline || !world.hasEvents()) {
                throw new Violation("all faults are healed, but somebody waits for an answer");
            }
            step();
        }
    }

    private void step() {
        if (world.events() > (oracleAlone ? MAX_EVENTS_UNJUDGED : MAX_EVENTS)) {
            throw new Violation("no end after " + world.events() + " events");
        }
        world.step();
        if (!oracleAlone) {
            if (world.events() % checkEvery == 0) {
                cluster.check();
            }
            world.throwIfBroken();
        }
    }

    /**
     * Runs a world.
     *
     * @throws Violation with the seed, and with what happened if it was traced
     */
    public static Result run(long seed, Scenario scenario, boolean tracing) {
        NodeSimulation simulation = new NodeSimulation(seed, scenario, tracing, false);
        try {
            return simulation.run();
        } catch (RuntimeException | AssertionError broken) {
            String story = tracing ? "\n" + String.join("\n", simulation.world.trace()) : "";
            throw new Violation("seed " + seed + ": " + broken.getMessage() + story, broken);
        }
    }

    /**
     * Runs a world in which nobody looks but the clients.
     *
     * @return what the {@link Oracle} says of what they were told; where the world came to no good end, of what they were told until then
     */
    public static Verdict runForTheOracle(long seed, Scenario scenario) {
        NodeSimulation simulation = new NodeSimulation(seed, scenario, false, true);
        boolean drained;
        try {
            simulation.play();
            drained = true;
        } catch (RuntimeException | AssertionError stopped) {
            drained = false;
        }
        return simulation.oracle(drained);
    }
}
