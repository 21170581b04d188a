package io.taskmaster.testkit.fault;

import io.taskmaster.testkit.process.ChildJvm;
import io.taskmaster.testkit.process.ServerProcess;
import io.taskmaster.testkit.relay.Flow;
import io.taskmaster.testkit.relay.Relay;
import java.util.List;

/**
 * A server, the network before it, and processes that work with it through that network; as targets of faults. Faults of workers do
 * nothing if there are none. Thread-safe.
 */
public final class ProcessFaults implements FaultTarget {

    private final ServerProcess server;
    private final Relay relay;
    private final List<ChildJvm> workers;

    public ProcessFaults(ServerProcess server, Relay relay, List<ChildJvm> workers) {
        this.server = server;
        this.relay = relay;
        this.workers = List.copyOf(workers);
    }

    @Override
    public void strike(Fault fault) throws InterruptedException {
        if (fault.kind().part() == FaultKind.Part.SERVER && !server.isAlive()) {
            throw new IllegalStateException("the server ended by itself: " + server.lastWords());
        }
        switch (fault) {
            case Fault.Kill _ -> server.kill();
            case Fault.Stop _ -> server.pause();
            case Fault.Restart _ -> server.terminate();
            case Fault.Disconnect _ -> relay.refuse();
            case Fault.Stall stall -> relay.stall(stall.flows().toArray(Flow[]::new));
            case Fault.Slow slow -> relay.delay(slow.delay());
            case Fault.KillWorker kill -> worker(kill.choice()).forEach(ChildJvm::kill);
            case Fault.StopWorker stop -> worker(stop.choice()).forEach(ChildJvm::pause);
        }
    }

    @Override
    public void heal(Fault fault) {
        switch (fault) {
            case Fault.Kill _, Fault.Restart _ -> server.start();
            case Fault.Stop _ -> server.resume();
            case Fault.Disconnect _, Fault.Stall _, Fault.Slow _ -> relay.heal();
            case Fault.KillWorker kill -> worker(kill.choice()).forEach(ChildJvm::start);
            case Fault.StopWorker stop -> worker(stop.choice()).forEach(ChildJvm::resume);
        }
    }

    @Override
    public void awaitRecovery(Fault fault) throws InterruptedException {
        switch (fault) {
            case Fault.Kill _, Fault.Restart _ -> server.awaitServing();
            case Fault.Stop _,
                    Fault.Disconnect _,
                    Fault.Stall _,
                    Fault.Slow _,
                    Fault.KillWorker _,
                    Fault.StopWorker _ -> {}
        }
    }

    /** The chosen one, if there is any. */
    private List<ChildJvm> worker(int choice) {
        return workers.isEmpty() ? List.of() : List.of(workers.get(Math.floorMod(choice, workers.size())));
    }
}
