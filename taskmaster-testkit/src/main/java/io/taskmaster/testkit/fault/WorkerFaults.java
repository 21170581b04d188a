package io.taskmaster.testkit.fault;

import io.taskmaster.testkit.process.ChildJvm;
import java.util.List;

/** Workers, one of whom is the target of each fault; if there are none, nothing is done. Thread-safe. */
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

    /** The chosen one, if there is any. */
    private List<ChildJvm> worker(int choice) {
        return workers.isEmpty() ? List.of() : List.of(workers.get(Math.floorMod(choice, workers.size())));
    }
}
