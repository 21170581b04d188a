package io.taskmaster.stage.local;

import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.local.pool.LocalEnvironment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;

/**
 * A set of local stages in simulated time, whose workers run when the test says so. Single-threaded: owned by the test.
 */
final class SimulatedStages {

    final SimulatedTime time = new SimulatedTime(new SplittableRandom(1));
    final Deque<Runnable> workers = new ArrayDeque<>();
    final LocalStages stages =
            LocalStages.start(new LocalEnvironment(time, this::executeInPool, this::executeBlocking));
    private final Deque<Runnable> others = new ArrayDeque<>();

    /** True if there are threads for workers that are called. */
    boolean hasPool = true;

    private void executeInPool(Runnable worker) {
        if (!hasPool) {
            throw new RejectedExecutionException("no pool");
        }
        workers.add(worker);
    }

    private void executeBlocking(Runnable worker) {
        others.add(worker);
    }

    /** Runs all workers that were called, and those that they call, until none is left. */
    void work() {
        for (Runnable worker = workers.poll(); worker != null; worker = workers.poll()) {
            worker.run();
        }
    }

    void pass(Duration span) {
        time.run(span);
        for (Runnable other = others.poll(); other != null; other = others.poll()) {
            other.run();
        }
    }
}
