package io.taskmaster.stage.worker;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.worker.task.WorkerEnvironment;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** A worker process in a simulated environment, which can die at any time without notice. */
final class SimulatedWorker {

    private final SimulatedTime time;
    private final Worker worker;
    private boolean alive = true;

    /**
     * Starts a worker.
     *
     * @param service the longest time that handlers take
     */
    SimulatedWorker(
            Pipeline pipeline, SimulatedTime time, SimulatedTasks tasks, SplittableRandom random, Duration service) {
        this.time = time;
        Timer timer = time.of(() -> alive);
        worker = Worker.start(
                pipeline,
                new WorkerEnvironment(
                        tasks.service(timer, () -> alive),
                        timer,
                        time.executor(() -> random.nextLong(100_000), () -> alive),
                        time.executor(() -> random.nextLong(service.toNanos() + 1), () -> alive),
                        random.split()));
    }

    void die() {
        alive = false;
    }

    void dieAfter(Duration span) {
        time.schedule(this::die, span.toNanos());
    }

    CompletableFuture<Void> drain(Duration deadline) {
        return worker.drain(deadline);
    }
}
