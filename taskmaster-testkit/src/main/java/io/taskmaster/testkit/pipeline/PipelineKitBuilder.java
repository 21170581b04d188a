package io.taskmaster.testkit.pipeline;

import io.taskmaster.stage.worker.Tracing;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a {@link PipelineKit} is to be. Single-threaded: owned by whoever builds. */
public final class PipelineKitBuilder {

    private static final long DEFAULT_STEPS = 1_000_000;

    private final WorkerProgram program;
    private long seed;
    private List<String> workers = List.of("worker");
    private Duration network = Duration.ofMillis(1);
    private Duration handling = Duration.ZERO;
    private Duration restart = Duration.ofSeconds(1);
    private int trouble;
    private Optional<Duration> crashes = Optional.empty();
    private Duration longest = Duration.ofDays(30);
    private long maxSteps = DEFAULT_STEPS;
    private Tracing tracing = Tracing.NONE;

    PipelineKitBuilder(WorkerProgram program) {
        this.program = program;
    }

    /** Chooses the order of what happens at the same time, and all chance. The same seed makes the same run. Default 0. */
    public PipelineKitBuilder seed(long number) {
        seed = number;
        return this;
    }

    /** The worker processes, by their names; all run the same. Default: one, {@code worker}. */
    public PipelineKitBuilder workers(String... names) {
        if (names.length == 0 || Arrays.stream(names).distinct().count() < names.length) {
            throw new IllegalArgumentException(
                    "workers: %s (expected: one or more, a name each)".formatted(List.of(names)));
        }
        workers = List.of(names);
        return this;
    }

    /** How long a message between a worker and the server is under way, at most; how long, is chance. Default 1 ms. */
    public PipelineKitBuilder network(Duration longestWay) {
        network = notNegative("network", longestWay);
        return this;
    }

    /**
     * How long a task is with a worker before its handler is called, at most; how long, is chance. A handler itself takes no time: what happens
     * while others would be at it, happens before it. Default: none.
     */
    public PipelineKitBuilder handling(Duration longestTime) {
        handling = notNegative("handling", longestTime);
        return this;
    }

    /** How long a worker is away that crashed by a script or by chance. Default 1 s. */
    public PipelineKitBuilder restartAfter(Duration span) {
        restart = notNegative("restartAfter", span);
        return this;
    }

    /**
     * So many of a hundred calls of workers are refused, done without a reply, or answered up to 5 s late, by chance: leases and commits, but no renewals of
     * leases, which never go wrong. Default 0.
     */
    public PipelineKitBuilder trouble(int percent) {
        if (percent < 0 || percent > 50) {
            throw new IllegalArgumentException("trouble: %d (expected: 0 to 50 percent)".formatted(percent));
        }
        trouble = percent;
        return this;
    }

    /** Workers crash by chance, after so long a life on average. Default: they do not. */
    public PipelineKitBuilder crashes(Duration meanLife) {
        if (!meanLife.isPositive()) {
            throw new IllegalArgumentException("crashes: %s (expected: more than zero)".formatted(meanLife));
        }
        crashes = Optional.of(meanLife);
        return this;
    }

    /**
     * How long {@link PipelineKit#runUntilIdle} may take. Default: 30 days, and 1,000,000 events, which are a few seconds of the test's.
     *
     * @param span of virtual time
     */
    public PipelineKitBuilder limit(Duration span, long events) {
        longest = notNegative("limit", span);
        maxSteps = events;
        return this;
    }

    /** Follows tasks through all workers. Default: nobody does. */
    public PipelineKitBuilder tracing(Tracing follows) {
        tracing = follows;
        return this;
    }

    /** A kit whose server serves and whose workers work. */
    public PipelineKit start() {
        return new PipelineKit(new KitSettings(
                program, seed, workers, network, handling, restart, trouble, crashes, longest, maxSteps, tracing));
    }

    private static Duration notNegative(String name, Duration span) {
        if (span.isNegative()) {
            throw new IllegalArgumentException("%s: %s (expected: 0 or more)".formatted(name, span));
        }
        return span;
    }
}
