package io.taskmaster.testkit.fault;

import io.taskmaster.testkit.fault.FaultScript.Episode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A script while it happens to a target. Faults come when the script says; one whose part is not ready yet, since the one before took
 * longer to do or undo, comes as soon as it is. Thread-safe.
 *
 * <pre>{@code
 * FaultScript script = FaultScript.draw(seed, EnumSet.of(KILL, DISCONNECT), Duration.ofMinutes(1));
 * try (FaultRun run = FaultRun.start(script, new ProcessFaults(server, relay, workers), System.out::println)) {
 *     // the pipeline works ...
 *     run.await();
 * }
 * }</pre>
 */
public final class FaultRun implements AutoCloseable {

    /**
     * Something that was done.
     *
     * @param at since the begin of the run
     * @param healed whether the fault was undone, or done
     */
    public record Event(Duration at, Fault fault, boolean healed) {}

    private final FaultTarget target;
    private final Consumer<Event> listener;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final long beginNanos = System.nanoTime();
    private final CompletableFuture<Void> done;

    private FaultRun(FaultScript script, FaultTarget target, Consumer<Event> listener) {
        this.target = target;
        this.listener = listener;
        Map<FaultKind.Part, List<Episode>> parts = new EnumMap<>(FaultKind.Part.class);
        for (Episode episode : script.episodes()) {
            parts.computeIfAbsent(episode.fault().kind().part(), _ -> new ArrayList<>())
                    .add(episode);
        }
        done = CompletableFuture.allOf(parts.values().stream().map(this::perform).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Begins.
     *
     * @param listener hears of what is done, as it is done, from several threads
     */
    public static FaultRun start(FaultScript script, FaultTarget target, Consumer<Event> listener) {
        return new FaultRun(script, target, listener);
    }

    /**
     * Comes back when the last fault is undone.
     *
     * @throws IllegalStateException if the target could not do one
     */
    public void await() throws InterruptedException {
        try {
            done.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a fault could not be done: " + failed.getMessage(), failed);
        }
    }

    /** Undoes what is done, and does no more. Idempotent; blocks. */
    @Override
    public void close() {
        ended.countDown();
        done.handle((_, _) -> true).join();
    }

    private CompletableFuture<Void> perform(List<Episode> episodes) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        Thread.ofVirtual().name("faults").start(() -> {
            try {
                for (Episode episode : episodes) {
                    if (!waitUntil(episode.begin())) {
                        break;
                    }
                    perform(episode);
                }
                result.complete(null);
            } catch (InterruptedException | RuntimeException failed) {
                result.completeExceptionally(failed);
            }
        });
        return result;
    }

    private void perform(Episode episode) throws InterruptedException {
        target.strike(episode.fault());
        tell(episode.fault(), false);
        waitUntil(episode.end());
        target.heal(episode.fault());
        tell(episode.fault(), true);
    }

    private void tell(Fault fault, boolean healed) {
        listener.accept(new Event(Duration.ofNanos(System.nanoTime() - beginNanos), fault, healed));
    }

    /** False if the run was ended before. */
    private boolean waitUntil(Duration time) throws InterruptedException {
        long left = time.toNanos() - (System.nanoTime() - beginNanos);
        return !ended.await(Math.max(0, left), TimeUnit.NANOSECONDS);
    }
}
