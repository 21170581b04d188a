package io.taskmaster.harness.fault;

import io.taskmaster.harness.machine.UnreliableMachine;
import io.taskmaster.harness.process.ChildJvm;
import io.taskmaster.harness.process.ServerProcess;
import io.taskmaster.harness.relay.Relay;
import java.util.List;
import java.util.Optional;

/**
 * A target of all faults: a server, the network before it, the worker processes that reach it through that network, and
 * optionally its machine and the processes of its store. Faults of workers do nothing if there are none. Thread-safe.
 */
public final class ProcessFaults implements FaultTarget<Fault> {

    private final FaultTarget<Fault.OfServer> server;
    private final FaultTarget<Fault.OfNetwork> network;
    private final FaultTarget<Fault.OfWorkers> workers;
    private final FaultTarget<Fault.OfStore> store;
    private final FaultTarget<Fault.OfMachine> machine;

    /** Creates a target of a server whose store is part of its process, and so has no faults of its own. */
    public ProcessFaults(ServerProcess server, Relay relay, List<ChildJvm> workers) {
        this(
                new ServerFaults(server),
                new NetworkFaults(relay),
                new WorkerFaults(workers),
                new EmbeddedStore(),
                new MachineFaults(server, Optional.empty()));
    }

    ProcessFaults(
            FaultTarget<Fault.OfServer> server,
            FaultTarget<Fault.OfNetwork> network,
            FaultTarget<Fault.OfWorkers> workers,
            FaultTarget<Fault.OfStore> store,
            FaultTarget<Fault.OfMachine> machine) {
        this.server = server;
        this.network = network;
        this.workers = workers;
        this.store = store;
        this.machine = machine;
    }

    /** Returns this target with a store that has faults of its own. */
    public ProcessFaults withStore(FaultTarget<Fault.OfStore> other) {
        return new ProcessFaults(server, network, workers, other, machine);
    }

    /** Returns this target with a server on a machine that can fail. */
    public ProcessFaults withMachine(ServerProcess onIt, UnreliableMachine failing) {
        return new ProcessFaults(server, network, workers, store, new MachineFaults(onIt, Optional.of(failing)));
    }

    @Override
    public void strike(Fault fault) throws InterruptedException {
        switch (fault) {
            case Fault.OfServer its -> server.strike(its);
            case Fault.OfNetwork its -> network.strike(its);
            case Fault.OfWorkers its -> workers.strike(its);
            case Fault.OfStore its -> store.strike(its);
            case Fault.OfMachine its -> machine.strike(its);
        }
    }

    @Override
    public void heal(Fault fault) throws InterruptedException {
        switch (fault) {
            case Fault.OfServer its -> server.heal(its);
            case Fault.OfNetwork its -> network.heal(its);
            case Fault.OfWorkers its -> workers.heal(its);
            case Fault.OfStore its -> store.heal(its);
            case Fault.OfMachine its -> machine.heal(its);
        }
    }

    @Override
    public void awaitRecovery(Fault fault) throws InterruptedException {
        switch (fault) {
            case Fault.OfServer its -> server.awaitRecovery(its);
            case Fault.OfNetwork its -> network.awaitRecovery(its);
            case Fault.OfWorkers its -> workers.awaitRecovery(its);
            case Fault.OfStore its -> store.awaitRecovery(its);
            case Fault.OfMachine its -> machine.awaitRecovery(its);
        }
    }
}
