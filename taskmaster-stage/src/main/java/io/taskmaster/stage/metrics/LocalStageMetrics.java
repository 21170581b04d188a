package io.taskmaster.stage.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.local.Drop;
import io.taskmaster.stage.local.EventTimes;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStatus;
import io.taskmaster.stage.local.admission.AdmissionRule;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one local stage, which may come and go: {@link #close} removes them. Thread-safe.
 *
 * <table>
 *   <caption>Meters, each with the tag {@code stage}</caption>
 *   <tr><td>{@code taskmaster.local.stage.events}</td><td>events, by {@code outcome}: done, dropped, refused,
 *       degraded, spilled; and by {@code cause}: {@code shed} and the others of {@link Drop.Cause} if they were
 *       dropped, {@code full} and the others of {@link Admission.Cause} if they were refused, else
 *       {@code none}</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.wait}, {@code .service}</td><td>the time that events wait, and that they
 *       are handled; see {@link #times}</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.paused}</td><td>1 while it is paused</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.waiting}</td><td>credits of the events that wait</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.capacity}</td><td>credits in total; 0: no boundary</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.workers}</td><td>workers that are busy or scheduled</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.workers.max}</td><td>the present limit of workers</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.batch.max}</td><td>the present limit of events in a batch</td></tr>
 *   <tr><td>{@code taskmaster.local.stage.limit}</td><td>the present limits of the admission rule, by
 *       {@code limit}: see {@link AdmissionRule}</td></tr>
 * </table>
 */
public final class LocalStageMetrics implements MeterBinder, AutoCloseable {

    /**
     * The cause of events that have none. Meters of one name must have the same tags, or a registry may refuse them.
     */
    private static final String NO_CAUSE = "none";

    private record Bound(MeterRegistry registry, Meter meter) {}

    private final LocalStage<?> stage;
    private final Queue<Bound> bound = new ConcurrentLinkedQueue<>();

    /** Creates the meters of a local stage; {@link #bindTo} registers them. */
    public LocalStageMetrics(LocalStage<?> stage) {
        this.stage = stage;
    }

    /**
     * Creates timers of the time that the events of a stage wait and are handled, for
     * {@link io.taskmaster.stage.local.LocalStageBuilder#timed}.
     */
    public static EventTimes times(MeterRegistry registry, String stage) {
        Timer wait = timer(registry, "wait", stage);
        Timer service = timer(registry, "service", stage);
        return (waitNanos, serviceNanos) -> {
            wait.record(waitNanos, TimeUnit.NANOSECONDS);
            service.record(serviceNanos, TimeUnit.NANOSECONDS);
        };
    }

    private static Timer timer(MeterRegistry registry, String metric, String stage) {
        return Timer.builder("taskmaster.local.stage." + metric)
                .tag("stage", stage)
                .publishPercentileHistogram()
                .register(registry);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        events(registry, "done", NO_CAUSE, LocalStatus::done);
        for (Drop.Cause cause : Drop.Cause.values()) {
            events(registry, "dropped", tag(cause), status -> status.dropped(cause));
        }
        for (Admission.Cause cause : Admission.Cause.values()) {
            events(registry, "refused", tag(cause), status -> status.refused(cause));
        }
        events(registry, "degraded", NO_CAUSE, LocalStatus::degraded);
        events(registry, "spilled", NO_CAUSE, LocalStatus::spilled);
        gauge(registry, "paused", Tags.empty(), status -> status.isPaused() ? 1 : 0);
        gauge(registry, "waiting", Tags.empty(), LocalStatus::waiting);
        gauge(registry, "capacity", Tags.empty(), LocalStatus::capacity);
        gauge(registry, "workers", Tags.empty(), LocalStatus::workers);
        gauge(registry, "workers.max", Tags.empty(), LocalStatus::maxWorkers);
        gauge(registry, "batch.max", Tags.empty(), LocalStatus::maxBatch);
        for (String limit : stage.status().limits().keySet()) {
            gauge(
                    registry,
                    "limit",
                    Tags.of("limit", limit),
                    status -> status.limits().getOrDefault(limit, Double.NaN));
        }
    }

    private static String tag(Enum<?> cause) {
        return cause.name().toLowerCase(Locale.ROOT);
    }

    private void events(MeterRegistry registry, String outcome, String cause, ToDoubleFunction<LocalStatus> value) {
        bound(
                registry,
                FunctionCounter.builder(
                                "taskmaster.local.stage.events", stage, read -> value.applyAsDouble(read.status()))
                        .tag("stage", stage.name())
                        .tag("outcome", outcome)
                        .tag("cause", cause)
                        .baseUnit("events")
                        .register(registry));
    }

    private void gauge(MeterRegistry registry, String metric, Tags tags, ToDoubleFunction<LocalStatus> value) {
        bound(
                registry,
                Gauge.builder("taskmaster.local.stage." + metric, stage, read -> value.applyAsDouble(read.status()))
                        .tag("stage", stage.name())
                        .tags(tags)
                        .register(registry));
    }

    private void bound(MeterRegistry registry, Meter meter) {
        bound.add(new Bound(registry, meter));
    }

    /** Removes the meters. Idempotent. */
    @Override
    public void close() {
        for (Bound one = bound.poll(); one != null; one = bound.poll()) {
            one.registry().remove(one.meter());
            removeTimers(one.registry());
        }
    }

    private void removeTimers(MeterRegistry registry) {
        for (String metric : List.of("wait", "service")) {
            registry.find("taskmaster.local.stage." + metric)
                    .tag("stage", stage.name())
                    .meters()
                    .forEach(registry::remove);
        }
    }
}
