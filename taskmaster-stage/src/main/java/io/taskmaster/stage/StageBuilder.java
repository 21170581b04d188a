package io.taskmaster.stage;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.model.Pid;
import io.taskmaster.stage.control.Controller;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The settings of one stage, each with the default of {@link StageSettings#DEFAULT}. Single-threaded: owned by whoever builds. */
public final class StageBuilder<T> {

    private final TaskQueue<T> input;
    private final List<TaskQueue<?>> outputs = new ArrayList<>();
    private @Nullable BatchHandler<T> handler;
    private boolean finishesLater;
    private Optional<Sink<? super Flight<T>>> into = Optional.empty();
    private int concurrency = StageSettings.DEFAULT.concurrency();
    private Optional<Controller> concurrencyController = Optional.empty();
    private int prefetch = StageSettings.DEFAULT.prefetch();
    private int maxBatch = StageSettings.DEFAULT.maxBatch();
    private Optional<Controller> batchController = Optional.empty();
    private Duration lease = StageSettings.DEFAULT.lease();
    private Duration maxWait = StageSettings.DEFAULT.maxWait();
    private Duration timeout = StageSettings.DEFAULT.timeout();
    private boolean isComputing;
    private Optional<Duration> serviceTime = Optional.empty();
    private Optional<Rate> rate = Optional.empty();
    private KeyRule keys = StageSettings.DEFAULT.keys();
    private int maxPerQueue = StageSettings.DEFAULT.maxPerQueue();
    private Optional<Function<Instant, Pid>> maxPid = Optional.empty();
    private ServiceClass serviceClass = StageSettings.DEFAULT.serviceClass();
    private RetryPolicy retry = StageSettings.DEFAULT.retry();

    StageBuilder(TaskQueue<T> input) {
        this.input = input;
    }

    /** What it does with a task. */
    public StageBuilder<T> handler(Handler<T> each) {
        return handledBy(
                1,
                Optional.empty(),
                (tasks, finish) -> finish.with(tasks.getFirst(), each.handle(tasks.getFirst())),
                false);
    }

    /** What it does with some tasks together, at most so many: with what is there, without waiting for more. */
    public StageBuilder<T> batchHandler(int max, BatchHandler<T> together) {
        return handledBy(max, Optional.empty(), together, false);
    }

    /**
     * What it does with some tasks together: at most as many as a controller says, such as {@link Controller#batching}. Lease a batch or two {@linkplain #prefetch ahead}, or
     * each batch waits for its own call to the server.
     */
    public StageBuilder<T> batchHandler(Controller max, BatchHandler<T> together) {
        return handledBy(max.setting(), Optional.of(max), together, false);
    }

    /** What it does with a task that is finished elsewhere; {@link #concurrency} bounds how many are on their way. */
    public StageBuilder<T> asyncHandler(AsyncHandler<T> each) {
        return handledBy(
                1, Optional.empty(), (tasks, finish) -> each.begin(new Flight<>(tasks.getFirst(), finish)), true);
    }

    private StageBuilder<T> handledBy(int max, Optional<Controller> decides, BatchHandler<T> by, boolean later) {
        maxBatch = max;
        batchController = decides;
        handler = by;
        finishesLater = later;
        into = Optional.empty();
        return this;
    }

    /** Its tasks go through local stages, from this one on, which pictures show. What that refuses is tried again when it says. */
    public StageBuilder<T> into(Sink<? super Flight<T>> first) {
        asyncHandler(flight -> flight.into(first));
        into = Optional.of(first);
        return this;
    }

    /**
     * Where its hand-offs go; unless told, to any queue of the pipeline. One that goes elsewhere pauses the stage, with the reason in its status, and its task is given back: only a
     * change of the program helps.
     */
    public StageBuilder<T> to(TaskQueue<?>... queues) {
        outputs.addAll(Arrays.asList(queues));
        return this;
    }

    public StageBuilder<T> concurrency(int handlers) {
        concurrency = handlers;
        concurrencyController = Optional.empty();
        return this;
    }

    /** As many handlers at once as a controller says, in each worker process. */
    public StageBuilder<T> concurrency(Controller decides) {
        concurrency = decides.setting();
        concurrencyController = Optional.of(decides);
        return this;
    }

    public StageBuilder<T> prefetch(int tasks) {
        prefetch = tasks;
        return this;
    }

    public StageBuilder<T> lease(Duration length) {
        lease = length;
        return this;
    }

    public StageBuilder<T> maxWait(Duration span) {
        maxWait = span;
        return this;
    }

    public StageBuilder<T> timeout(Duration span) {
        timeout = span;
        return this;
    }

    /**
     * Its handler computes for milliseconds at a time: it runs on platform threads, as many as processors, which the computing stages of a worker share; and so many handlers
     * run at once, unless {@link #concurrency} is set after this. On a virtual thread it would keep all others from running until it is done.
     */
    public StageBuilder<T> computing() {
        isComputing = true;
        return concurrency(Runtime.getRuntime().availableProcessors());
    }

    public StageBuilder<T> serviceTime(Duration expected) {
        serviceTime = Optional.of(expected);
        return this;
    }

    /** How fast tasks go to handlers, in each worker process. */
    public StageBuilder<T> rate(Rate limit) {
        rate = Optional.of(limit);
        return this;
    }

    /**
     * How many tasks of one key are worked on at once, in each worker process; with 1, in their order. The key is read off the task when it is leased: its queue, its PID, a header,
     * or its payload, which is decoded once more for that. Where the order has to hold for all workers together, give each key a queue of a family, and {@link #maxPerQueue} 1.
     */
    public StageBuilder<T> perKey(Function<Task<T>, @Nullable String> key, int atOnce) {
        keys = new KeyRule(ofAny(key), atOnce, Optional.empty());
        return this;
    }

    /** The same, and how fast tasks of one key go to handlers. */
    public StageBuilder<T> perKey(Function<Task<T>, @Nullable String> key, int atOnce, Rate limit) {
        keys = new KeyRule(ofAny(key), atOnce, Optional.of(limit));
        return this;
    }

    @SuppressWarnings("unchecked") // A stage asks for the keys of its own tasks alone.
    private Function<Task<?>, @Nullable String> ofAny(Function<Task<T>, @Nullable String> key) {
        return task -> key.apply((Task<T>) task);
    }

    public StageBuilder<T> maxPerQueue(int tasks) {
        maxPerQueue = tasks;
        return this;
    }

    /**
     * Up to which PID, and including it, tasks are leased: asked before each call, with the time by the worker's clock. With due times as PIDs,
     * what is not due is left where it is (paper section 7). A call that waits for tasks keeps the PID it began with, so {@link #maxWait} is
     * how late a task may be taken that has become due.
     */
    public StageBuilder<T> maxPid(Function<Instant, Pid> last) {
        maxPid = Optional.of(last);
        return this;
    }

    public StageBuilder<T> serviceClass(ServiceClass urgency) {
        serviceClass = urgency;
        return this;
    }

    public StageBuilder<T> retry(RetryPolicy policy) {
        retry = policy;
        return this;
    }

    Stage<T> build() {
        if (handler == null) {
            throw new IllegalArgumentException("stage %s: no handler (expected: one)".formatted(input.name()));
        }
        try {
            return new Stage<>(
                    input,
                    handler,
                    finishesLater,
                    outputs,
                    into,
                    new StageSettings(
                            concurrency,
                            concurrencyController,
                            prefetch,
                            maxBatch,
                            batchController,
                            lease,
                            maxWait,
                            timeout,
                            isComputing,
                            serviceTime,
                            rate,
                            keys,
                            maxPerQueue,
                            maxPid,
                            serviceClass,
                            retry));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("stage %s: %s".formatted(input.name(), e.getMessage()), e);
        }
    }
}
