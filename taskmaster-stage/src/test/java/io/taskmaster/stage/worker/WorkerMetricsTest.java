package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.metrics.WorkerMetrics;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A worker as its meters show it. */
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
                new Surroundings(
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

    private double limit(String what) {
        return registry.get("taskmaster.stage." + what + ".max").gauge().value();
    }

    private double held(String state) {
        return registry.get("taskmaster.stage.held").tag("state", state).gauge().value();
    }
}
