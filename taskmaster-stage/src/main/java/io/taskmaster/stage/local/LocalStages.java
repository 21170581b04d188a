package io.taskmaster.stage.local;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.InvalidPipelineException;
import io.taskmaster.stage.StageGraph;
import io.taskmaster.stage.StageGraph.Edge;
import io.taskmaster.stage.StageGraph.Kind;
import io.taskmaster.stage.StageGraph.Node;
import io.taskmaster.stage.local.BlockingCycle.Place;
import io.taskmaster.stage.local.pool.LocalEnvironment;
import io.taskmaster.stage.local.pool.SharedExecutors;
import io.taskmaster.stage.local.pool.SharedPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinPool.ForkJoinWorkerThreadFactory;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The local stages of a process, and the threads that they share: as many as processors. Stages can be added and
 * removed while others work. Thread-safe.
 */
public final class LocalStages implements AutoCloseable {

    /** The time that {@link #close} lets stages handle what they have. */
    public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(25);

    private final SharedExecutors sharedExecutors;
    private final Runnable end;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, LocalStage<?>> stages = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final Map<String, Place> places = new LinkedHashMap<>();

    /** Stages that were removed and are not drained yet. */
    private final Map<LocalStage<?>, CompletableFuture<Void>> removing = new ConcurrentHashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    /** @param end stops the threads that this class has started */
    private LocalStages(SharedExecutors sharedExecutors, Runnable end) {
        this.sharedExecutors = sharedExecutors;
        this.end = end;
    }

    /** Starts with threads of its own. */
    public static LocalStages start() {
        int threads = Runtime.getRuntime().availableProcessors();
        ForkJoinPool pool = new ForkJoinPool(threads, new WorkerThreads(), null, true);
        ThreadFactory blocking = Thread.ofVirtual().name("local-stage-", 0).factory();
        return new LocalStages(
                new SharedExecutors(
                        Timer.SYSTEM,
                        new SharedPool(pool, threads, Timer.SYSTEM),
                        worker -> blocking.newThread(worker).start()),
                pool::shutdownNow);
    }

    private static final class WorkerThreads implements ForkJoinWorkerThreadFactory {

        private final AtomicInteger count = new AtomicInteger();

        @Override
        public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
            ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
            thread.setName("local-stages-" + count.getAndIncrement());
            return thread;
        }
    }

    /** Starts on executors and a timer of the caller. */
    public static LocalStages start(LocalEnvironment environment) {
        return new LocalStages(SharedExecutors.in(environment), () -> {});
    }

    /**
     * Adds a stage, which takes events from now on. Add the stages that it hands on to first, or name them with
     * {@link LocalStageBuilder#to} and add them later: {@link #close} needs the order.
     *
     * @param name a name that no present stage has
     * @param settings called at once; has to set a handler
     * @throws InvalidPipelineException if stages that block their producers form a circle, as far as
     *     {@link LocalStageBuilder#to} says: full, they would wait for each other
     */
    public <E> LocalStage<E> add(String name, Consumer<LocalStageBuilder<E>> settings) {
        LocalStageBuilder<E> builder = new LocalStageBuilder<>(name);
        settings.accept(builder);
        LocalStage<E> stage = builder.build(sharedExecutors);
        try {
            register(stage, builder.place());
        } catch (RuntimeException refused) {
            // The stage was built, so its control loop may be running: the drain ends that.
            var unused = stage.drain(Duration.ZERO);
            throw refused;
        }
        return stage;
    }

    private void register(LocalStage<?> stage, Place place) {
        String name = stage.name();
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("stages: closed (expected: open, to add %s)".formatted(name));
            }
            if (stages.containsKey(name)) {
                throw new IllegalArgumentException("stage: duplicate name %s (expected: unique names)".formatted(name));
            }
            places.put(name, place);
            List<String> circle = BlockingCycle.in(places);
            if (!circle.isEmpty()) {
                places.remove(name);
                throw new InvalidPipelineException(List.of(
                        "stages %s: a cycle in which all stages block (expected: at least one that rejects, sheds or spills)"
                                .formatted(String.join(" -> ", circle))));
            }
            stages.put(name, stage);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes a stage: new events are refused. The future completes when it has handled those that it had, or at the
     * deadline: then the rest is dropped.
     */
    public CompletableFuture<Void> remove(String name, Duration deadline) {
        LocalStage<?> stage;
        lock.lock();
        try {
            stage = stages.remove(name);
            if (stage == null) {
                throw new IllegalArgumentException("stage: %s (expected: one of %s)".formatted(name, stages.keySet()));
            }
            places.remove(name);
        } finally {
            lock.unlock();
        }
        CompletableFuture<Void> removed = stage.drain(deadline);
        // The entry comes before the callback that removes it, which runs at once if the stage is drained by now.
        removing.put(stage, removed);
        var unused = removed.whenComplete((ignored, failure) -> removing.remove(stage));
        return removed.copy();
    }

    /** Returns the status of every stage, in the order in which they were added. */
    public List<LocalStatus> status() {
        lock.lock();
        try {
            return stages.values().stream().map(LocalStage::status).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the stages and their edges, as far as {@linkplain LocalStageBuilder#to named}, as a graph. */
    public StageGraph graph() {
        List<Node> nodes = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        lock.lock();
        try {
            for (LocalStage<?> stage : stages.values()) {
                Place place = requireNonNull(places.get(stage.name()), stage.name());
                nodes.add(new Node(stage.name(), place.hasBoundary() ? Kind.LOCAL : Kind.CALL, Optional.of(stage)));
                place.next().stream().sorted().forEach(to -> edges.add(new Edge(stage.name(), to)));
            }
        } finally {
            lock.unlock();
        }
        return StageGraph.of(nodes, edges);
    }

    /**
     * Resumes all paused stages and drains them, each after those that hand on to it, as far as
     * {@linkplain LocalStageBuilder#to named}; where that leaves a choice, and in circles, those that were added last
     * first. Takes {@link #DEFAULT_DRAIN} at most, in which stages that were removed before also finish. Idempotent;
     * blocks.
     */
    @Override
    public void close() {
        long deadlineNanos = sharedExecutors.timer().nanoTime() + DEFAULT_DRAIN.toNanos();
        List<LocalStage<?>> open = inDrainOrder();
        // All are resumed before the first is drained, which may be waiting for credits of another.
        open.forEach(LocalStage::resume);
        for (LocalStage<?> stage : open) {
            long remainingNanos =
                    Math.max(0, deadlineNanos - sharedExecutors.timer().nanoTime());
            stage.drain(Duration.ofNanos(remainingNanos)).join();
        }
        long remainingNanos =
                Math.max(0, deadlineNanos - sharedExecutors.timer().nanoTime());
        CompletableFuture.allOf(removing.values().toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, remainingNanos, TimeUnit.NANOSECONDS)
                .join();
        end.run();
    }

    private List<LocalStage<?>> inDrainOrder() {
        lock.lock();
        try {
            closed = true;
            List<LocalStage<?>> inOrder = new ArrayList<>();
            for (String name : DrainOrder.of(places)) {
                inOrder.add(requireNonNull(stages.get(name), name));
            }
            return inOrder;
        } finally {
            lock.unlock();
        }
    }
}
