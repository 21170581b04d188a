package io.taskmaster.stage.local;

import io.taskmaster.stage.SimulatedTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;

/** Local stages in simulated time, whose workers come when the test says so. Single-threaded. */
final class SimulatedStages {

    final SimulatedTime time = new SimulatedTime(new SplittableRandom(1));
    final Deque<Runnable> workers = new ArrayDeque<>();
    final LocalStages stages = LocalStages.start(new LocalWorld(time, this::comeToPool, this::come));
    private final Deque<Runnable> others = new ArrayDeque<>();

    /** Whether there are threads for those that are called. */
    boolean hasPool = true;

    private void comeToPool(Runnable worker) {
        if (!hasPool) {
            throw new RejectedExecutionException("no pool");
        }
        workers.add(worker);
    }

    private void come(Runnable worker) {
        others.add(worker);
    }

    /** Those that were called come, and those that these call, until none is left. */
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
