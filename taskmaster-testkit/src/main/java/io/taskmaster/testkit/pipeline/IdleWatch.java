package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.QueueSummary;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.testkit.virtual.TimeDriver;
import io.taskmaster.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.util.List;

/**
 * A watch that lets time pass until no stage of a pipeline has a task.
 *
 * <p>It lists the queues whenever a commit was applied and none is in flight. While nothing is committed, it lists them
 * after pauses that double from 1 s to 1 h. Single-threaded: owned by the test.
 */
final class IdleWatch {

    private static final Duration MIN_PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofHours(1);

    private final KitEnvironment kitEnvironment;
    private final TimeDriver timeDriver;
    private final QueueReader reader;
    private final Pipeline pipeline;

    IdleWatch(KitEnvironment kitEnvironment, TimeDriver timeDriver, QueueReader reader, Pipeline pipeline) {
        this.kitEnvironment = kitEnvironment;
        this.timeDriver = timeDriver;
        this.reader = reader;
        this.pipeline = pipeline;
    }

    boolean isOfStage(QueueName queue) {
        return pipeline.stages().stream().anyMatch(stage -> Members.has(stage.input(), queue));
    }

    /** Returns the queues of stages that hold tasks. */
    List<QueueSummary> waiting() {
        return reader.queues(this::isOfStage);
    }

    void await() {
        VirtualTime time = kitEnvironment.time();
        long startNanos = time.nanoTime();
        long beganSteps = time.steps();
        Duration pause = MIN_PAUSE;
        while (isBusy()) {
            Duration passed = Duration.ofNanos(time.nanoTime() - startNanos);
            long remainingSteps = kitEnvironment.settings().maxSteps() - (time.steps() - beganSteps);
            Duration remainingTime = kitEnvironment.settings().maxDuration().minus(passed);
            if (remainingSteps <= 0 || !remainingTime.isPositive()) {
                throw new NotIdleException(
                        passed,
                        time.steps() - beganSteps,
                        waiting(),
                        kitEnvironment.kitJournal().inFlight(),
                        kitEnvironment.kitJournal().commits());
            }
            long applied = kitEnvironment.kitJournal().applied();
            boolean moved = timeDriver.until(() -> isSettled(applied), shorter(pause, remainingTime), remainingSteps);
            pause = moved ? MIN_PAUSE : shorter(pause.multipliedBy(2), MAX_PAUSE);
        }
    }

    private boolean isBusy() {
        return kitEnvironment.kitJournal().inFlight() > 0 || !waiting().isEmpty();
    }

    private boolean isSettled(long appliedBefore) {
        return kitEnvironment.kitJournal().applied() > appliedBefore
                && kitEnvironment.kitJournal().inFlight() == 0;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
