package io.taskmaster.stage.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.worker.StageStatus;
import io.taskmaster.stage.worker.Worker;
import io.taskmaster.stage.worker.task.TaskTimes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The meters of the stages of a worker. All values that are read within half a second are of the same snapshot.
 * Thread-safe.
 *
 * <table>
 *   <caption>Meters, each with the tag {@code stage}</caption>
 *   <tr><td>{@code taskmaster.stage.leased}</td><td>leases that arrived, including those of tasks that were
 *       released</td></tr>
 *   <tr><td>{@code taskmaster.stage.tasks}</td><td>tasks that ended here, by {@code outcome}: done, retried,
 *       postponed, dead, lost</td></tr>
 *   <tr><td>{@code taskmaster.stage.handed.on}</td><td>tasks that were enqueued by hand-offs</td></tr>
 *   <tr><td>{@code taskmaster.stage.timeouts}</td><td>calls of the handler that took too long</td></tr>
 *   <tr><td>{@code taskmaster.stage.wait}</td><td>the time that tasks wait until their handler is called, by
 *       {@code attempt}: first, again; see {@link #times}</td></tr>
 *   <tr><td>{@code taskmaster.stage.service}</td><td>the duration of calls of the handler; see {@link #times}</td></tr>
 *   <tr><td>{@code taskmaster.stage.held}</td><td>tasks that are held, by {@code state}: ready, settling; and calls
 *       of handlers: running, abandoned</td></tr>
 *   <tr><td>{@code taskmaster.stage.running.max}</td><td>the present limit of calls of the handler at once</td></tr>
 *   <tr><td>{@code taskmaster.stage.batch.max}</td><td>the present limit of tasks in one call</td></tr>
 *   <tr><td>{@code taskmaster.stage.failed}</td><td>1 after a bug has stopped the stage, or a hand-off outside its
 *       targets has paused it</td></tr>
 *   <tr><td>{@code taskmaster.stage.trouble}</td><td>1 while calls of the stage to the server fail</td></tr>
 * </table>
 */
public final class WorkerMetrics implements MeterBinder {

    private static final long FRESH_NANOS = Duration.ofMillis(500).toNanos();
    private static final long TIMEOUT_MILLIS = 100;

    private record Snapshot(Map<String, StageStatus> stages, long atNanos) {}

    private final Worker worker;
    private final Timer timer;
    private volatile @Nullable Snapshot last;

    /** Creates the meters of a worker; {@link #bindTo} registers them. */
    public WorkerMetrics(Worker worker) {
        this(worker, Timer.SYSTEM);
    }

    WorkerMetrics(Worker worker, Timer timer) {
        this.worker = worker;
        this.timer = timer;
    }

    /**
     * Creates timers of the time that the tasks of stages wait and that their handlers take, for
     * {@link Worker#start(io.taskmaster.stage.Pipeline, io.taskmaster.client.TaskMasterClient,
     * io.taskmaster.stage.worker.task.Tracing, TaskTimes)}.
     */
    public static TaskTimes times(MeterRegistry registry) {
        return new StageTimers(registry);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (String stage : worker.stages()) {
            counter(stage, "taskmaster.stage.leased", StageStatus::leased)
                    .baseUnit("tasks")
                    .register(registry);
            tasks(registry, stage, "done", StageStatus::done);
            tasks(registry, stage, "retried", StageStatus::retried);
            tasks(registry, stage, "postponed", StageStatus::postponed);
            tasks(registry, stage, "dead", StageStatus::dead);
            tasks(registry, stage, "lost", StageStatus::lost);
            counter(stage, "taskmaster.stage.handed.on", StageStatus::handedOn)
                    .baseUnit("tasks")
                    .register(registry);
            counter(stage, "taskmaster.stage.timeouts", StageStatus::timeouts).register(registry);
            held(registry, stage, "ready", StageStatus::ready);
            held(registry, stage, "running", StageStatus::running);
            held(registry, stage, "abandoned", StageStatus::abandoned);
            held(registry, stage, "settling", StageStatus::settling);
            gauge(stage, "taskmaster.stage.running.max", StageStatus::maxRunning)
                    .register(registry);
            gauge(stage, "taskmaster.stage.batch.max", StageStatus::maxBatch).register(registry);
            gauge(stage, "taskmaster.stage.failed", status -> status.failure().isPresent() ? 1 : 0)
                    .register(registry);
            gauge(stage, "taskmaster.stage.trouble", status -> status.trouble().isPresent() ? 1 : 0)
                    .register(registry);
        }
    }

    private void tasks(MeterRegistry registry, String stage, String outcome, ToDoubleFunction<StageStatus> value) {
        counter(stage, "taskmaster.stage.tasks", value)
                .tag("outcome", outcome)
                .baseUnit("tasks")
                .register(registry);
    }

    private void held(MeterRegistry registry, String stage, String state, ToDoubleFunction<StageStatus> value) {
        gauge(stage, "taskmaster.stage.held", value).tag("state", state).register(registry);
    }

    private FunctionCounter.Builder<Worker> counter(String stage, String name, ToDoubleFunction<StageStatus> value) {
        return FunctionCounter.builder(name, worker, observed -> read(stage, value))
                .tag("stage", stage);
    }

    private Gauge.Builder<Worker> gauge(String stage, String name, ToDoubleFunction<StageStatus> value) {
        return Gauge.builder(name, worker, observed -> read(stage, value)).tag("stage", stage);
    }

    private double read(String stage, ToDoubleFunction<StageStatus> value) {
        Snapshot snapshot = fresh();
        return snapshot == null
                ? Double.NaN
                : value.applyAsDouble(snapshot.stages().get(stage));
    }

    /**
     * Returns a snapshot that is at most half a second old, or the last one if the worker does not answer within 100
     * ms; null if there is none.
     */
    private @Nullable Snapshot fresh() {
        Snapshot known = last;
        long now = timer.nanoTime();
        if (known != null && now - known.atNanos() < FRESH_NANOS) {
            return known;
        }
        try {
            Map<String, StageStatus> stages = worker.status().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).stream()
                    .collect(Collectors.toMap(StageStatus::stage, Function.identity()));
            last = new Snapshot(stages, now);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException busy) {
            return known;
        }
        return last;
    }
}
