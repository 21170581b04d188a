package io.taskmaster.stage.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.worker.task.TaskTimes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The timers of the stages of a worker. Those of a stage are created with its first event. Thread-safe. */
final class StageTimers implements TaskTimes {

    /**
     * The maximum expected value. Tasks may wait, and be worked on, for minutes; by default the histograms of
     * Micrometer end at half a minute.
     */
    private static final Duration MAX_EXPECTED = Duration.ofHours(1);

    private static final class Timers {

        final Timer first;
        final Timer retried;
        final Timer service;

        Timers(MeterRegistry registry, String stage) {
            first = timer(registry, "wait", Tags.of("stage", stage, "attempt", "first"));
            retried = timer(registry, "wait", Tags.of("stage", stage, "attempt", "again"));
            service = timer(registry, "service", Tags.of("stage", stage));
        }

        private static Timer timer(MeterRegistry registry, String metric, Tags tags) {
            return Timer.builder("taskmaster.stage." + metric)
                    .tags(tags)
                    .publishPercentileHistogram()
                    .maximumExpectedValue(MAX_EXPECTED)
                    .register(registry);
        }
    }

    private final MeterRegistry registry;
    private final Map<String, Timers> timers = new ConcurrentHashMap<>();

    StageTimers(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void waited(Stage<?> stage, Task<?> task, long waitNanos) {
        Timers known = of(stage);
        (task.attempt() == 1 ? known.first : known.retried).record(waitNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void handled(Stage<?> stage, long serviceNanos) {
        of(stage).service.record(serviceNanos, TimeUnit.NANOSECONDS);
    }

    private Timers of(Stage<?> stage) {
        return timers.computeIfAbsent(stage.name(), name -> new Timers(registry, name));
    }
}
