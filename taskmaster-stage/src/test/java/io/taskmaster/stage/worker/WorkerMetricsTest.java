package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.metrics.WorkerMetrics;
import io.taskmaster.stage.worker.task.WorkerEnvironment;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests of the meters of a worker. */
final class WorkerMetricsTest extends OneStage {

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void metersShowWhatTheStageDoes() {
        tasks.enqueue("in", "a", "data");
        tasks.enqueue("in", "b", "bad");
        tasks.enqueue("in", "c", "data");
        Worker worker = Worker.start(
                pipeline(stage -> stage.handler(task -> task.payload().equals("bad")
                                ? Outcome.dead("bad")
                                : Outcome.handOff(OUT.task(task.payload()), OTHER.task("copy")))
                        .to(OUT, OTHER)),
                new WorkerEnvironment(
                        tasks.service(time, () -> true), time, Runnable::run, handlers::add, new SplittableRandom(3)));
        time.run(SHORT);
        new WorkerMetrics(worker).bindTo(registry);
        assertThat(held("running")).isEqualTo(3);
        assertThat(limit("running")).isEqualTo(16);
        assertThat(limit("batch")).isEqualTo(1);
        handlers.forEach(Runnable::run);
        time.run(SHORT);

        MeterRegistry later = new SimpleMeterRegistry();
        new WorkerMetrics(worker).bindTo(later);
        assertThat(later.get("taskmaster.stage.leased").functionCounter().count())
                .isEqualTo(3);
        assertThat(later.get("taskmaster.stage.tasks")
                        .tag("stage", "in")
                        .tag("outcome", "done")
                        .functionCounter()
                        .count())
                .isEqualTo(2);
        assertThat(later.get("taskmaster.stage.tasks")
                        .tag("outcome", "dead")
                        .functionCounter()
                        .count())
                .isEqualTo(1);
        assertThat(later.get("taskmaster.stage.handed.on").functionCounter().count())
                .isEqualTo(4);
        assertThat(later.get("taskmaster.stage.trouble").gauge().value()).isZero();
    }

    @Test
    void waitsAndServiceTimesHaveTimers() {
        tasks.enqueue("in", "a", "data");
        Worker worker = Worker.start(
                pipeline(stage -> stage.handler(task -> {
                            time.run(Duration.ofSeconds(3));
                            return task.attempt() == 1 ? Outcome.retry("once more") : Outcome.done();
                        })
                        .retry(RetryPolicy.DEFAULT.delays(Duration.ZERO, Duration.ZERO))),
                world().timed(WorkerMetrics.times(registry)));
        runHandlers();
        runHandlers();

        assertThat(tasks.pids("in")).isEmpty();
        assertThat(status(worker).leased()).isEqualTo(2);
        assertThat(wait("first").count()).isEqualTo(1);
        assertThat(wait("first").totalTime(TimeUnit.MILLISECONDS)).isBetween(990.0, 1000.0);
        assertThat(wait("again").count()).isEqualTo(1);
        assertThat(wait("again").totalTime(TimeUnit.MILLISECONDS)).isBetween(5990.0, 6000.0);
        Timer service =
                registry.get("taskmaster.stage.service").tag("stage", "in").timer();
        assertThat(service.count()).isEqualTo(2);
        assertThat(service.totalTime(TimeUnit.SECONDS)).isEqualTo(6);
    }

    private Timer wait(String attempt) {
        return registry.get("taskmaster.stage.wait")
                .tag("stage", "in")
                .tag("attempt", attempt)
                .timer();
    }

    private double limit(String what) {
        return registry.get("taskmaster.stage." + what + ".max").gauge().value();
    }

    private double held(String state) {
        return registry.get("taskmaster.stage.held").tag("state", state).gauge().value();
    }
}
