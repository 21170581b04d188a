package io.taskmaster.stage.worker;

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
 * Where the steps of a stage wait for each other: they run one at a time, in the order in which they came. As a timer, it has its alarms ring as steps. A step that throws is the last one: what it left half
 * done is not built upon. Thread-safe.
 */
final class Mailbox implements Timer {

    private static final Duration FOREVER = Duration.ofDays(3_650);

    private final Executor steps;
    private final Timer timer;
    private final Consumer<Throwable> broken;

    /** Seen by steps alone. */
    private boolean isBroken;

    /**
     * @param broken the last step of all, with what the one before it threw
     */
    Mailbox(Surroundings world, Consumer<Throwable> broken) {
        this.steps = MoreExecutors.newSequentialExecutor(world.loop());
        this.timer = world.timer();
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

    /** What a step throws is a bug of ours: no step runs after it. */
    @SuppressWarnings("CatchingUnchecked") // Whatever it throws, the stage must not go on as if nothing had happened.
    void step(Runnable step) {
        steps.execute(() -> {
            if (isBroken) {
                return;
            }
            try {
                step.run();
            } catch (Throwable bug) {
                isBroken = true;
                broken.accept(bug);
            }
        });
    }

    /** In its turn among the steps, also when there are none any more. It changes nothing. */
    void look(Runnable look) {
        steps.execute(look);
    }

    void after(Duration delay, Runnable step) {
        Duration bounded = delay.compareTo(FOREVER) > 0 ? FOREVER : delay;
        schedule(step, Math.max(0, Deadlines.nanos(bounded)));
    }

    @Override
    public void schedule(Runnable step, long delayNanos) {
        timer.schedule(() -> step(step), delayNanos);
    }

    /** A call that fails, whether it says so at once or later. */
    @SuppressWarnings("CatchingUnchecked") // Code of the application's is in some of these calls.
    static <R> CompletableFuture<R> call(Supplier<CompletableFuture<R>> call) {
        try {
            return call.get();
        } catch (Throwable e) {
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
