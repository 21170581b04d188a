package io.taskmaster.stage.worker;

import com.google.common.util.concurrent.MoreExecutors;
import io.taskmaster.client.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the steps of a stage wait for each other: they run one at a time, in the order in which they came. As a timer, it has its alarms ring as steps. Thread-safe.
 */
final class Mailbox implements Timer {

    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);
    private static final Duration FOREVER = Duration.ofDays(3_650);

    private final Executor steps;
    private final Timer timer;

    Mailbox(Surroundings world) {
        this.steps = MoreExecutors.newSequentialExecutor(world.loop());
        this.timer = world.timer();
    }

    @Override
    public long nanoTime() {
        return timer.nanoTime();
    }

    @Override
    public Instant now() {
        return timer.now();
    }

    /** What a step throws is a bug of ours: it is told, and the next step runs. */
    @SuppressWarnings("CatchingUnchecked") // Whatever it throws, the stage must not stand still.
    void step(Runnable step) {
        steps.execute(() -> {
            try {
                step.run();
            } catch (Throwable bug) {
                LOG.error("a step of a stage failed; this is a bug", bug);
            }
        });
    }

    void after(Duration delay, Runnable step) {
        Duration bounded = delay.compareTo(FOREVER) > 0 ? FOREVER : delay;
        schedule(step, Math.max(0, bounded.toNanos()));
    }

    @Override
    public void schedule(Runnable step, long delayNanos) {
        timer.schedule(() -> step(step), delayNanos);
    }

    /** A call that fails, whether it says so at once or later. */
    static <R> CompletableFuture<R> call(Supplier<CompletableFuture<R>> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * When a call is over.
     *
     * @param step with the result or, if there is none, with what went wrong
     */
    <R> void whenDone(CompletableFuture<R> call, BiConsumer<@Nullable R, @Nullable Throwable> step) {
        CompletableFuture<?> _ = call.whenComplete((result, error) -> step(() -> step.accept(result, cause(error))));
    }

    static @Nullable Throwable cause(@Nullable Throwable error) {
        return error instanceof CompletionException wrapped ? wrapped.getCause() : error;
    }
}
