package io.taskmaster.stage.worker.task;

import com.google.common.util.concurrent.MoreExecutors;
import io.taskmaster.client.Timer;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of the steps of a stage, which run one at a time, in the order of their arrival. As a {@link Timer} it
 * delivers alarms as steps. A step that throws is the last one, because the state that it left is not trustworthy.
 * Thread-safe.
 */
public final class Mailbox implements Timer {

    private static final Duration FOREVER = Duration.ofDays(3_650);

    private final Executor steps;
    private final Timer timer;
    private final Consumer<Throwable> broken;

    /** True once a step has thrown. Read and written by steps only. */
    private boolean isBroken;

    /**
     * Creates the mailbox of a stage.
     *
     * @param broken called once, after a step threw, with its exception
     */
    public Mailbox(WorkerEnvironment environment, Consumer<Throwable> broken) {
        this.steps = MoreExecutors.newSequentialExecutor(environment.loop());
        this.timer = environment.timer();
        this.broken = broken;
    }

    @Override
    public long nanoTime() {
        return timer.nanoTime();
    }

    @Override
    public Instant now() {
        return timer.now();
    }

    /** Enqueues a step. An exception of a step is a bug of the library: no step runs after it. */
    @SuppressWarnings("CatchingUnchecked") // Whatever it throws, the stage must not go on as if nothing had happened.
    public void step(Runnable step) {
        steps.execute(() -> {
            if (isBroken) {
                return;
            }
            try {
                step.run();
            } catch (Throwable failure) {
                isBroken = true;
                broken.accept(failure);
            }
        });
    }

    /** Enqueues a read-only step, which runs also after a step has thrown. */
    public void query(Runnable query) {
        steps.execute(query);
    }

    public void after(Duration delay, Runnable step) {
        Duration bounded = delay.compareTo(FOREVER) > 0 ? FOREVER : delay;
        schedule(step, Math.max(0, Deadlines.nanos(bounded)));
    }

    @Override
    public void schedule(Runnable step, long delayNanos) {
        timer.schedule(() -> step(step), delayNanos);
    }

    /** Makes a call. An exception that it throws becomes a failed future. */
    @SuppressWarnings("CatchingUnchecked") // Some of these calls run code of the application.
    public static <R> CompletableFuture<R> call(Supplier<CompletableFuture<R>> call) {
        try {
            return call.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Enqueues a step when a call is over.
     *
     * @param step receives the result or, if it is null, the failure
     */
    public <R> void whenDone(CompletableFuture<R> call, BiConsumer<@Nullable R, @Nullable Throwable> step) {
        var unused = call.whenComplete((result, error) -> step(() -> step.accept(result, cause(error))));
    }

    static @Nullable public Throwable cause(@Nullable Throwable error) {
        return error instanceof CompletionException wrapped ? wrapped.getCause() : error;
    }
}
