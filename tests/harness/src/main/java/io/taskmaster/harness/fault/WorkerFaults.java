package io.taskmaster.harness.fault;

import io.taskmaster.harness.process.ChildJvm;
import java.util.List;

/** A target for faults of workers. Each fault strikes one of them; if there are none, it does nothing. Thread-safe. */
final class WorkerFaults implements FaultTarget<Fault.OfWorkers> {

    private final List<ChildJvm> workers;

    WorkerFaults(List<ChildJvm> workers) {
        this.workers = List.copyOf(workers);
    }

    @Override
    public void strike(Fault.OfWorkers fault) {
        switch (fault) {
            case Fault.KillWorker kill -> worker(kill.choice()).forEach(ChildJvm::kill);
            case Fault.StopWorker stop -> worker(stop.choice()).forEach(ChildJvm::pause);
        }
    }

    @Override
    public void heal(Fault.OfWorkers fault) {
        switch (fault) {
            case Fault.KillWorker kill -> worker(kill.choice()).forEach(ChildJvm::start);
            case Fault.StopWorker stop -> worker(stop.choice()).forEach(ChildJvm::resume);
        }
    }

    /** Returns the chosen worker, if there is one. */
    private List<ChildJvm> worker(int choice) {
        return workers.isEmpty() ? List.of() : List.of(workers.get(Math.floorMod(choice, workers.size())));
    }
}
