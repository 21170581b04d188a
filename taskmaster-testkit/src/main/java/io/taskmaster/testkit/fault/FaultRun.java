package io.taskmaster.testkit.fault;

import io.taskmaster.testkit.fault.FaultScript.Episode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A script while it happens to a target. Faults come in the order of the script and not before their time. The pauses of a part are for
 * recovering from what was before: they begin when that has come to its end, so on a slow machine faults come later, and those that
 * would come after the end of the script do not come at all. Short pauses are there to hit what recovers, and are kept. A fault that the
 * target cannot do, or not recover from, ends the run. Thread-safe.
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

    private final Duration length;
    private final FaultTarget<Fault> target;
    private final Consumer<Event> listener;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final long beginNanos = System.nanoTime();
    private final CompletableFuture<Void> done;

    private FaultRun(FaultScript script, FaultTarget<Fault> target, Consumer<Event> listener) {
        this.length = script.length();
        this.target = target;
        this.listener = listener;
        Map<FaultKind.Part, List<Episode>> parts = new EnumMap<>(FaultKind.Part.class);
        for (Episode episode : script.episodes()) {
            parts.computeIfAbsent(episode.fault().kind().part().turn(), _ -> new ArrayList<>())
                    .add(episode);
        }
        done = CompletableFuture.allOf(parts.values().stream().map(this::start).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Begins.
     *
     * @param listener hears of what is done, as it is done, from several threads
     */
    public static FaultRun start(FaultScript script, FaultTarget<Fault> target, Consumer<Event> listener) {
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

    private CompletableFuture<Void> start(List<Episode> episodes) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        Thread.ofVirtual().name("faults").start(() -> {
            try {
                perform(episodes.iterator());
                result.complete(null);
            } catch (InterruptedException | RuntimeException failed) {
                // What comes after it would be done to a system that is not whole.
                ended.countDown();
                result.completeExceptionally(failed);
            }
        });
        return result;
    }

    private void perform(Iterator<Episode> episodes) throws InterruptedException {
        Duration late = Duration.ZERO;
        Episode episode = episodes.next();
        while (episode.begin().plus(late).compareTo(length) < 0
                && waitUntil(episode.begin().plus(late))) {
            target.strike(episode.fault());
            tell(episode.fault(), false);
            waitUntil(episode.end().plus(late));
            target.heal(episode.fault());
            tell(episode.fault(), true);
            if (!episodes.hasNext()) {
                return;
            }
            Episode next = episodes.next();
            if (next.begin().minus(episode.end()).compareTo(FaultScript.REAL_PAUSE) >= 0) {
                target.awaitRecovery(episode.fault());
                late = max(late, elapsed().minus(episode.end()));
            }
            episode = next;
        }
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - beginNanos);
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? b : a;
    }

    private void tell(Fault fault, boolean healed) {
        listener.accept(new Event(elapsed(), fault, healed));
    }

    /** False if the run was ended before. */
    private boolean waitUntil(Duration time) throws InterruptedException {
        long left = time.minus(elapsed()).toNanos();
        return !ended.await(Math.max(0, left), TimeUnit.NANOSECONDS);
    }
}
