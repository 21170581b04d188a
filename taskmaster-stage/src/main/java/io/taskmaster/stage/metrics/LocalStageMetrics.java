package io.taskmaster.stage.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.taskmaster.stage.local.EventTimes;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStatus;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * One local stage, which may come and go: closing takes its meters back. Thread-safe.
 *
 * <table>
 *   <caption>Meters, each with the tag {@code stage}</caption>
 *   <tr><td>{@code taskmaster.local.stage.events}</td><td>events, by {@code outcome}: done, dropped, refused, degraded, spilled</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.wait}, {@code .service}</td><td>how long events wait, and are handled; see {@link #times}</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.waiting}</td><td>credits of the events that wait</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.capacity}</td><td>credits; 0: no boundary</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.workers}</td><td>workers that are at work, or were called</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.workers.max}</td><td>how many of them there may be, at present</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.batch.max}</td><td>events that are handled together at most, at present</td></tr>
 * </table>
 */
public final class LocalStageMetrics implements MeterBinder, AutoCloseable {

    private record Bound(MeterRegistry registry, Meter meter) {}

    private final LocalStage<?> stage;
    private final Queue<Bound> bound = new ConcurrentLinkedQueue<>();

    public LocalStageMetrics(LocalStage<?> stage) {
        this.stage = stage;
    }

    /** For {@link io.taskmaster.stage.local.LocalStageBuilder#timed}: timers of how long the events of a stage wait, and are handled. */
    public static EventTimes times(MeterRegistry registry, String stage) {
        Timer wait = timer(registry, "wait", stage);
        Timer service = timer(registry, "service", stage);
        return (waitNanos, serviceNanos) -> {
            wait.record(waitNanos, TimeUnit.NANOSECONDS);
            service.record(serviceNanos, TimeUnit.NANOSECONDS);
        };
    }

    private static Timer timer(MeterRegistry registry, String what, String stage) {
        return Timer.builder("taskmaster.local.stage." + what)
                .tag("stage", stage)
                .publishPercentileHistogram()
                .register(registry);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        List.of(
                        events(registry, "done", LocalStatus::done),
                        events(registry, "dropped", LocalStatus::dropped),
                        events(registry, "refused", LocalStatus::refused),
                        events(registry, "degraded", LocalStatus::degraded),
                        events(registry, "spilled", LocalStatus::spilled),
                        gauge(registry, "waiting", LocalStatus::waiting),
                        gauge(registry, "capacity", LocalStatus::capacity),
                        gauge(registry, "workers", LocalStatus::workers),
                        gauge(registry, "workers.max", LocalStatus::maxWorkers),
                        gauge(registry, "batch.max", LocalStatus::maxBatch))
                .forEach(meter -> bound.add(new Bound(registry, meter)));
    }

    private Meter events(MeterRegistry registry, String outcome, ToDoubleFunction<LocalStatus> value) {
        return FunctionCounter.builder(
                        "taskmaster.local.stage.events", stage, read -> value.applyAsDouble(read.status()))
                .tag("stage", stage.name())
                .tag("outcome", outcome)
                .baseUnit("events")
                .register(registry);
    }

    private Meter gauge(MeterRegistry registry, String what, ToDoubleFunction<LocalStatus> value) {
        return Gauge.builder("taskmaster.local.stage." + what, stage, read -> value.applyAsDouble(read.status()))
                .tag("stage", stage.name())
                .register(registry);
    }

    /** Idempotent. */
    @Override
    public void close() {
        for (Bound one = bound.poll(); one != null; one = bound.poll()) {
            one.registry().remove(one.meter());
            removeTimers(one.registry());
        }
    }

    private void removeTimers(MeterRegistry registry) {
        for (String what : List.of("wait", "service")) {
            registry.find("taskmaster.local.stage." + what)
                    .tag("stage", stage.name())
                    .meters()
                    .forEach(registry::remove);
        }
    }
}
