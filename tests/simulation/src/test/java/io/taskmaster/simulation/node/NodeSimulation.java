package io.taskmaster.simulation.node;

import io.taskmaster.simulation.judge.Judge;
import io.taskmaster.simulation.load.RandomRequests;
import io.taskmaster.simulation.load.Recorder;
import io.taskmaster.simulation.network.Network;
import io.taskmaster.simulation.network.NetworkOdds;
import io.taskmaster.simulation.world.Scenario;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.simulation.world.World;
import io.taskmaster.testkit.history.RecordedCall;
import io.taskmaster.testkit.oracle.Oracle;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import java.time.Duration;
import java.util.List;

/**
 * A run of whole nodes. It has these phases:
 *
 * <ol>
 *   <li>Clients, a network, up to five nodes and a store, with all faults.
 *   <li>In half of the runs the faults heal now, and every request in flight must be answered.
 *   <li>All nodes crash, and everything in flight lands or is lost. The faults heal.
 *   <li>Three more nodes, one after the other, list, describe and scan everything ({@link ClosingPhase}). The first of
 *       them crashes, the second ends in order, through the third every queue is drained.
 * </ol>
 *
 * <p>Then the {@link Judge} checks the answers of every partition, and the {@link Oracle} the replies to the clients.
 * {@code PartitionStateInvariants} are checked after every k-th event. Single-threaded.
 */
public final class NodeSimulation {

    private static final int MAX_EVENTS = 2_000_000;

    /** The bound on events if only the oracle checks: few runs have a tenth of it. */
    private static final int MAX_EVENTS_UNJUDGED = 200_000;

    private static final long MAX_SETTLE_MICROS = 120_000_000;

    /** The time after which nothing is in flight any more. */
    private static final long IN_FLIGHT_MICROS = 10_000_000;

    /**
     * The result of a run.
     *
     * @param calls the requests of the clients and their outcomes
     * @param checked the number of calls and tasks that the oracle checked
     * @param steps the number of steps of the first node
     * @param states the largest number of states that the {@link Judge} carried along; 0 if some partition is undecided
     */
    public record Result(
            List<RecordedCall> calls,
            OracleVerdict.Checked checked,
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

    /** The dedup window. */
    private final long dedupMillis;

    /** The mode in which only the oracle checks the run, from what clients can see. */
    private final boolean oracleAlone;

    private NodeSimulation(long seed, Scenario scenario, boolean tracing, boolean oracleAlone) {
        this.oracleAlone = oracleAlone;
        this.world = new World(seed, tracing);
        this.network = new Network(world, NetworkOdds.draw(world));
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
        world.log(() -> settings + ", " + world.faults + ", " + network.faults());
    }

    private Result run() {
        long steps = play();
        world.throwIfBroken();
        int states = cluster.journals().judge();
        OracleVerdict verdict = oracle(true);
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

    /**
     * Runs all phases.
     *
     * @return the number of steps of the first node
     */
    private long play() {
        cluster.supervise();
        for (int i = 0; i < clients; i++) {
            new ContractClient(world, "c" + i, cluster, requests, recorder).scheduleCall();
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
        long endMicros = world.micros() + IN_FLIGHT_MICROS;
        while (world.hasEventsBefore(endMicros)) {
            step();
        }
        heal();
        new ClosingPhase(world, cluster, requests, recorder, this::step).run();
        return steps;
    }

    /**
     * Checks the replies to the clients.
     *
     * @param drained whether everything was dequeued at the end
     */
    private OracleVerdict oracle(boolean drained) {
        OracleSettings settings = OracleSettings.DEFAULT
                .withClockSlack(Duration.ofMillis(cluster.clockSlackMillis()))
                .withDedupWindow(Duration.ofMillis(dedupMillis));
        return Oracle.judge(recorder.history(), drained ? settings.drained() : settings);
    }

    private void heal() {
        world.heal();
        network.heal();
    }

    /**
     * Waits until no request is in flight: without faults, every node that is up answers every request, if only with an
     * error.
     */
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
     * Simulates a run with all checks.
     *
     * @throws Violation with the seed, and with the trace if there is one
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
     * Simulates a run that only the clients observe.
     *
     * @return the verdict of the {@link Oracle} on the replies to the clients; if the run did not end well, on those
     *     until then
     */
    public static OracleVerdict runForTheOracle(long seed, Scenario scenario) {
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
