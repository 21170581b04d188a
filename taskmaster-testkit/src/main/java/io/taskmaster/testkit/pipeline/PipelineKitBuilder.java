package io.taskmaster.testkit.pipeline;

import io.taskmaster.stage.worker.task.Tracing;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A builder of a {@link PipelineKit}. Single-threaded: owned by the test. */
public final class PipelineKitBuilder {

    private static final long DEFAULT_STEPS = 1_000_000;

    private final WorkerProgram program;
    private long seed;
    private List<String> workers = List.of("worker");
    private Duration network = Duration.ofMillis(1);
    private Duration handling = Duration.ZERO;
    private Duration restart = Duration.ofSeconds(1);
    private int faultPercent;
    private Optional<Duration> crashes = Optional.empty();
    private Duration maxDuration = Duration.ofDays(30);
    private long maxSteps = DEFAULT_STEPS;
    private Tracing tracing = Tracing.NONE;

    PipelineKitBuilder(WorkerProgram program) {
        this.program = program;
    }

    /**
     * Sets the seed, which chooses the order of simultaneous events and all chance. The same seed makes the same run.
     * Default 0.
     */
    public PipelineKitBuilder seed(long number) {
        seed = number;
        return this;
    }

    /** Sets the worker processes, by their names; all run the same. Default: one, {@code worker}. */
    public PipelineKitBuilder workers(String... names) {
        if (names.length == 0 || Arrays.stream(names).distinct().count() < names.length) {
            throw new IllegalArgumentException(
                    "workers: %s (expected: one or more, with unique names)".formatted(List.of(names)));
        }
        workers = List.of(names);
        return this;
    }

    /**
     * Sets the longest time that a message between a worker and the server takes; each takes a random time. Default 1
     * ms.
     */
    public PipelineKitBuilder network(Duration maxDelay) {
        network = notNegative("network", maxDelay);
        return this;
    }

    /**
     * Sets the longest time that a task waits in a worker before its handler is called; each waits a random time. A
     * handler itself takes no time: whatever would happen during it in production, happens before it. Default: none.
     */
    public PipelineKitBuilder handling(Duration maxTime) {
        handling = notNegative("handling", maxTime);
        return this;
    }

    /** Sets the time until a worker that crashed by a script or by chance is started again. Default 1 s. */
    public PipelineKitBuilder restartAfter(Duration span) {
        restart = notNegative("restartAfter", span);
        return this;
    }

    /**
     * Sets the percentage of leases and commits that are refused, applied without a reply, or answered up to 5 s late,
     * by chance. Renewals of leases never fail. Default 0.
     */
    public PipelineKitBuilder trouble(int percent) {
        if (percent < 0 || percent > 50) {
            throw new IllegalArgumentException("trouble: %d (expected: 0 to 50 percent)".formatted(percent));
        }
        faultPercent = percent;
        return this;
    }

    /** Lets workers crash by chance, with this mean life. Default: they do not. */
    public PipelineKitBuilder crashes(Duration meanLife) {
        if (!meanLife.isPositive()) {
            throw new IllegalArgumentException("crashes: %s (expected: more than zero)".formatted(meanLife));
        }
        crashes = Optional.of(meanLife);
        return this;
    }

    /**
     * Sets the limit of {@link PipelineKit#runUntilIdle}. Default: 30 days, and 1,000,000 events, which take a few
     * seconds of real time.
     *
     * @param span in virtual time
     */
    public PipelineKitBuilder limit(Duration span, long events) {
        maxDuration = notNegative("limit", span);
        maxSteps = events;
        return this;
    }

    /** Sets the tracing of tasks through all workers. Default: none. */
    public PipelineKitBuilder tracing(Tracing follows) {
        tracing = follows;
        return this;
    }

    /** Starts a kit. When it returns, the server serves and the workers run. */
    public PipelineKit start() {
        return new PipelineKit(new KitSettings(
                program,
                seed,
                workers,
                network,
                handling,
                restart,
                faultPercent,
                crashes,
                maxDuration,
                maxSteps,
                tracing));
    }

    private static Duration notNegative(String name, Duration span) {
        if (span.isNegative()) {
            throw new IllegalArgumentException("%s: %s (expected: 0 or more)".formatted(name, span));
        }
        return span;
    }
}
