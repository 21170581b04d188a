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

/**
 * A builder of one stage, with the defaults of {@link StageSettings#DEFAULT}. Settings are checked when the stage is
 * built. Single-threaded: owned by its caller.
 *
 * @param <T> the payload
 */
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

    /** Sets a handler of single tasks. */
    public StageBuilder<T> handler(Handler<T> each) {
        return handledBy(
                1,
                Optional.empty(),
                (tasks, finish) -> finish.with(tasks.getFirst(), each.handle(tasks.getFirst())),
                false);
    }

    /**
     * Sets a handler of batches. It gets the tasks that are available, up to the maximum, without a wait for more.
     *
     * @param max the maximum number of tasks in a batch
     */
    public StageBuilder<T> batchHandler(int max, BatchHandler<T> together) {
        return handledBy(max, Optional.empty(), together, false);
    }

    /**
     * Sets a handler of batches whose maximum size a controller decides, such as {@link Controller#batching}.
     * {@linkplain #prefetch Prefetch} a batch or two, or each batch waits for its own lease call.
     */
    public StageBuilder<T> batchHandler(Controller max, BatchHandler<T> together) {
        return handledBy(max.setting(), Optional.of(max), together, false);
    }

    /**
     * Sets a handler of tasks that are finished elsewhere. The {@link #concurrency} bounds the number of tasks without
     * an outcome.
     */
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

    /**
     * Leads all tasks into local stages, from the given one on, which graphs show. A task that it refuses is offered
     * again when the refusal says.
     */
    public StageBuilder<T> into(Sink<? super Flight<T>> first) {
        asyncHandler(flight -> flight.into(first));
        into = Optional.of(first);
        return this;
    }

    /**
     * Declares the queues that hand-offs may name. Without a declaration that is any queue of the pipeline. A hand-off
     * to another queue pauses the stage, with the reason in its status, and the task is released: only a change of the
     * program helps.
     */
    public StageBuilder<T> to(TaskQueue<?>... queues) {
        outputs.addAll(Arrays.asList(queues));
        return this;
    }

    /** Sets the number of handlers that run at once, in each worker process. Default 16. */
    public StageBuilder<T> concurrency(int handlers) {
        concurrency = handlers;
        concurrencyController = Optional.empty();
        return this;
    }

    /** Lets a controller decide how many handlers run at once, in each worker process. */
    public StageBuilder<T> concurrency(Controller decides) {
        concurrency = decides.setting();
        concurrencyController = Optional.of(decides);
        return this;
    }

    /**
     * Sets the number of tasks that are leased ahead of the handlers. Default 0. Concurrency times batch size plus
     * prefetch must be at most {@link StageSettings#MAX_IN_HAND}.
     */
    public StageBuilder<T> prefetch(int tasks) {
        prefetch = tasks;
        return this;
    }

    /**
     * Sets the length of leases, 100 ms to 7 days. Default 60 s. Leases are renewed while the worker holds a task;
     * those of a worker that died are offered again after so long.
     */
    public StageBuilder<T> lease(Duration length) {
        lease = length;
        return this;
    }

    /** Sets the time that a lease call waits for tasks, 0 to 60 s. Default 20 s. */
    public StageBuilder<T> maxWait(Duration span) {
        maxWait = span;
        return this;
    }

    /**
     * Sets the time that a handler may take, 1 ms to 7 days. Default 10 min. Then it is interrupted, and its tasks are
     * tried again.
     */
    public StageBuilder<T> timeout(Duration span) {
        timeout = span;
        return this;
    }

    /**
     * Runs the handlers on platform threads, as many as processors, which the computing stages of a worker share. For
     * handlers that compute for milliseconds at a time: on a virtual thread they would keep all others from running.
     * Sets the concurrency to the number of processors; {@link #concurrency} may change it after this call.
     */
    public StageBuilder<T> computing() {
        isComputing = true;
        return concurrency(Runtime.getRuntime().availableProcessors());
    }

    /**
     * Declares the time that a handler is expected to take. The pipeline is invalid if the lease is too short for the
     * tasks that are leased ahead.
     */
    public StageBuilder<T> serviceTime(Duration expected) {
        serviceTime = Optional.of(expected);
        return this;
    }

    /** Limits the rate at which tasks go to handlers, in each worker process. Default: no limit. */
    public StageBuilder<T> rate(Rate limit) {
        rate = Optional.of(limit);
        return this;
    }

    /**
     * Limits the number of tasks of one key that are worked on at once, in each worker process; with 1, they are done
     * in their order. The key is read when a task is leased: from its queue, its PID, a header, or its payload, which
     * is decoded once more for that. Where the order must hold for all workers together, give each key a queue of a
     * family, and set {@link #maxPerQueue} to 1.
     */
    public StageBuilder<T> perKey(Function<Task<T>, @Nullable String> key, int atOnce) {
        keys = new KeyRule(ofAny(key), atOnce, Optional.empty());
        return this;
    }

    /** Limits the number of tasks of one key at once, and the rate at which they go to handlers. */
    public StageBuilder<T> perKey(Function<Task<T>, @Nullable String> key, int atOnce, Rate limit) {
        keys = new KeyRule(ofAny(key), atOnce, Optional.of(limit));
        return this;
    }

    @SuppressWarnings("unchecked") // A stage calls it with its own tasks only.
    private Function<Task<?>, @Nullable String> ofAny(Function<Task<T>, @Nullable String> key) {
        return task -> key.apply((Task<T>) task);
    }

    /**
     * Limits the leases of one queue at a time, of all workers together. Default 0: no limit. With 1, tasks of a queue
     * are done in their order.
     */
    public StageBuilder<T> maxPerQueue(int tasks) {
        maxPerQueue = tasks;
        return this;
    }

    /**
     * Sets the largest PID that is leased, inclusive. The function is called before each lease call, with the time of
     * the worker's clock. With due times as PIDs, tasks that are not due stay where they are (paper section 7). A long
     * poll keeps the PID that it began with, so a task that becomes due is leased up to {@link #maxWait} late.
     */
    public StageBuilder<T> maxPid(Function<Instant, Pid> last) {
        maxPid = Optional.of(last);
        return this;
    }

    /** Sets the class of the stage's calls. Default {@code INTERACTIVE}; {@code BULK} yields under overload. */
    public StageBuilder<T> serviceClass(ServiceClass urgency) {
        serviceClass = urgency;
        return this;
    }

    /** Sets the retry policy. Default {@link RetryPolicy#DEFAULT}. */
    public StageBuilder<T> retry(RetryPolicy policy) {
        retry = policy;
        return this;
    }

    Stage<T> build() {
        if (handler == null) {
            throw new IllegalArgumentException("stage %s: no handler (expected: one handler)".formatted(input.name()));
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
