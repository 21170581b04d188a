package io.taskmaster.harness.fault;

import io.taskmaster.harness.fault.FaultScript.Episode;
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
 * An execution of a script against a target. Thread-safe.
 *
 * <p>Each part has a thread of its own, in which its episodes follow each other in the order of the script, and not
 * before their time:
 *
 * <pre>{@code
 * state      | event                        | next state | effect
 * -----------+------------------------------+------------+----------------------------------------------
 * waiting    | the episode begins           | struck     | target.strike
 * struck     | the episode ends, or close() | healed     | target.heal
 * healed     | the next pause is real       | recovering | target.awaitRecovery
 * healed     | the next pause is short      | waiting    |
 * recovering | the target has recovered     | waiting    | later episodes are postponed by the delay
 * waiting    | length is over, or close()   | done       | remaining episodes are dropped
 * any        | the target throws            | failed     | the run ends for all parts
 * }</pre>
 *
 * Pauses of 1.5 s or more are for recovery, so they begin when the target has recovered: on a slow machine faults come
 * later, and those that would begin after the end of the script are dropped. Shorter pauses are meant to hit a target
 * that is recovering, and are kept.
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
     * An event of a run.
     *
     * @param at since the beginning of the run
     * @param healed true if the fault was undone, false if it was injected
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
            parts.computeIfAbsent(episode.fault().kind().part().alternatingPart(), _ -> new ArrayList<>())
                    .add(episode);
        }
        done = CompletableFuture.allOf(parts.values().stream().map(this::start).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Starts a run.
     *
     * @param listener receives each event as it happens, from several threads
     */
    public static FaultRun start(FaultScript script, FaultTarget<Fault> target, Consumer<Event> listener) {
        return new FaultRun(script, target, listener);
    }

    /**
     * Waits until the last fault is undone.
     *
     * @throws IllegalStateException if the target could not inject or undo a fault
     */
    public void await() throws InterruptedException {
        try {
            done.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a fault could not be injected: " + failed.getMessage(), failed);
        }
    }

    /** Undoes the present faults, and injects no more. Idempotent; blocks. */
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
                // Later faults would strike a system that is not whole.
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
            log(episode.fault(), false);
            waitUntil(episode.end().plus(late));
            target.heal(episode.fault());
            log(episode.fault(), true);
            if (!episodes.hasNext()) {
                return;
            }
            Episode next = episodes.next();
            if (next.begin().minus(episode.end()).compareTo(FaultScript.REAL_PAUSE) >= 0) {
                target.awaitRecovery(episode.fault());
                // The delay never shrinks: a part that recovered late stays behind its script.
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

    private void log(Fault fault, boolean healed) {
        listener.accept(new Event(elapsed(), fault, healed));
    }

    /** Waits until a time of the run; returns false if the run was ended before. */
    private boolean waitUntil(Duration time) throws InterruptedException {
        long remaining = time.minus(elapsed()).toNanos();
        return !ended.await(Math.max(0, remaining), TimeUnit.NANOSECONDS);
    }
}
