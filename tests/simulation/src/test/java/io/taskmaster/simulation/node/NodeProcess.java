package io.taskmaster.simulation.node;

import io.taskmaster.proxy.rpc.EmbeddedService;
import io.taskmaster.server.partition.LoopedNode;
import io.taskmaster.server.partition.StoreLayout;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.simulation.network.Host;
import io.taskmaster.simulation.world.OwnerProcess;
import io.taskmaster.simulation.world.SimulatedLoop;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A simulated server process: the real node and the real service, wired as the program wires them. It settles the
 * number of partitions, opens them, and listens once all serve. Single-threaded: owned by the simulation.
 *
 * <p>Its states; an event of a process that has ended has no effect:
 *
 * <pre>{@code
 * state     | event                                  | next      | effect
 * starting  | number of partitions settled           | starting  | opens the partitions
 * starting  | settling failed with a StoreException  | ended     | as the program: the process ends
 * starting  | settling failed otherwise              | starting  | the run is broken
 * starting  | every partition serves                 | listening | accepts connections
 * starting  | opening failed                         | starting  | the run is broken
 * starting  | shutDown                               | draining  | refuses requests; drains the node
 * listening | shutDown                               | draining  | refuses requests; drains the node
 * draining  | opening failed                         | draining  | none
 * draining  | drained                                | ended     | connections break
 * any       | crash                                  | ended     | connections break
 * }</pre>
 */
final class NodeProcess implements Host {

    private static final long MAX_OFFLOAD_MICROS = 3_000;

    private final World world;
    private final OwnerProcess process;
    private final Store store;
    private final int partitions;
    private final LoopedNode node;
    private final TappedNode tap;
    private final EmbeddedService embeddedService;

    /** Callbacks that run when the process ends and every connection with it. */
    private final List<Runnable> connections = new ArrayList<>();

    private boolean listening;
    private boolean draining;

    NodeProcess(
            World world,
            OwnerProcess process,
            Store store,
            NodeSettings settings,
            Journals journals,
            RandomGenerator nonces) {
        this.world = world;
        this.process = process;
        this.store = store;
        this.partitions = settings.partitions();
        List<SimulatedLoop> loops = Stream.generate(() -> new SimulatedLoop(world, process))
                .limit(settings.loops())
                .toList();
        this.node = new LoopedNode(
                store,
                process.name(),
                settings.partitions(),
                loops,
                settings.partition(),
                settings.budget(),
                nonces,
                this::ended);
        this.tap = new TappedNode(world, process, node.node(), journals);
        this.embeddedService =
                new EmbeddedService(tap, settings.bounds(), process.name(), process.clock(), this::offload);
    }

    private void offload(Runnable work) {
        process.in(world.random.nextLong(MAX_OFFLOAD_MICROS), work);
    }

    /** Starts the process. If the number of partitions cannot be settled, it ends, as the program does. */
    void start() {
        process.in(0, () -> {
            process.log(() -> "comes up");
            var _ = StoreLayout.settle(store, partitions).whenComplete((_, failure) -> {
                if (failure == null) {
                    open();
                } else if (cause(failure) instanceof StoreException) {
                    process.crash("cannot settle: " + cause(failure).getMessage());
                } else {
                    world.broken(new Violation("settling ended with " + failure, failure));
                }
            });
        });
    }

    private void open() {
        var _ = node.open().whenComplete((_, failure) -> {
            if (failure == null) {
                process.log(() -> "listens");
                listening = true;
            } else if (!draining) {
                world.broken(new Violation("cannot be opened: " + failure, failure));
            }
        });
    }

    /**
     * Shuts the process down in order, as on a signal: it refuses new requests, answers and writes the rest, and ends.
     */
    void shutDown() {
        if (!draining) {
            draining = true;
            process.in(0, () -> {
                process.log(() -> "is told to end");
                embeddedService.refuse();
                var _ = node.drain().thenRun(() -> process.in(0, () -> process.crash("has ended in good order")));
            });
        }
    }

    /**
     * Handles the end of an epoch. To lose a partition and not to know an outcome are normal; any other reason is a
     * broken invariant.
     */
    private void ended(Throwable reason) {
        Throwable cause = cause(reason);
        process.log(() -> "loses a partition: " + cause);
        if (!(cause instanceof DeposedException) && !(cause instanceof StoreException)) {
            world.broken(new Violation("a partition ended with " + cause, cause));
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }

    @Override
    public OwnerProcess process() {
        return process;
    }

    @Override
    public EmbeddedService embeddedService() {
        return embeddedService;
    }

    boolean isUp() {
        return !process.hasCrashed();
    }

    @Override
    public boolean isListening() {
        return isUp() && listening;
    }

    boolean isDraining() {
        return draining;
    }

    /** Returns whether it listens and every partition serves. */
    boolean isServing() {
        return isListening() && !draining && node.isServing();
    }

    /** The number of commands that its partitions have not answered. */
    int owed() {
        return tap.owed();
    }

    /** Returns whether it is up and has anything in flight. */
    boolean isBusy() {
        return isUp() && (owed() > 0 || embeddedService.requests() > 0);
    }

    /** Returns {@link TappedNode#hasLeasedUnseenSince}. */
    boolean hasLeasedUnseenSince(long micros) {
        return tap.hasLeasedUnseenSince(micros);
    }

    /** Returns {@link TappedNode#isStaleSince}. */
    boolean isStaleSince(long micros) {
        return tap.isStaleSince(micros);
    }

    @Override
    public void connected(Runnable whenItDies) {
        connections.add(whenItDies);
    }

    void disconnectAll() {
        connections.forEach(Runnable::run);
        connections.clear();
    }

    /** Checks the invariants of its partitions in memory. */
    void check() {
        if (isUp()) {
            node.check();
        }
    }
}
