package io.taskmaster.stage.local;

import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Answerable;
import io.taskmaster.stage.guard.Guard;
import io.taskmaster.stage.guard.Warnings;
import io.taskmaster.stage.local.pool.Watchdog;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The record of a stage's events: counts of their outcomes, and the calls to listeners and to the waiters of
 * {@link Answerable} events. Thread-safe.
 */
final class StageCounters<E> {

    private static final String EVENT = "an answerable event";
    private static final String LISTENER = "a listener";

    private final String stage;
    private final BiConsumer<? super E, Drop> listener;
    private final @Nullable EventTimes times;
    private final Warnings warnings;
    private final Guard guard;
    private final LongAdder done = new LongAdder();
    private final LocalCounts<Drop.Cause> drops = new LocalCounts<>(Drop.Cause.class);
    private final LocalCounts<Admission.Cause> refusals = new LocalCounts<>(Admission.Cause.class);
    private final LongAdder degraded = new LongAdder();
    private final LongAdder spilled = new LongAdder();
    private volatile Optional<String> lastDrop = Optional.empty();

    /** @param times receives the time that events take; null if it is not measured */
    StageCounters(String stage, BiConsumer<? super E, Drop> listener, @Nullable EventTimes times, Warnings warnings) {
        this.stage = stage;
        this.listener = listener;
        this.times = times;
        this.warnings = warnings;
        this.guard = new Guard(warnings);
    }

    void done(long count) {
        done.add(count);
    }

    /** The guard under which other functions of the application are called. */
    Guard guard() {
        return guard;
    }

    boolean needsTimes() {
        return times != null;
    }

    void took(long waitNanos, long serviceNanos) {
        if (times != null) {
            guard.run(LISTENER, () -> times.handled(waitNanos, serviceNanos));
        }
    }

    /** Warns of a handler that holds a shared thread for long. */
    void isSlow(StackTraceElement[] stackTrace) {
        Throwable held = new Throwable("stack trace of the handler");
        held.setStackTrace(stackTrace);
        warnings.warn(
                "thread",
                "a handler has occupied a shared thread for more than %d ms (expected: less, or a stage that is marked as blocking)"
                        .formatted(Watchdog.INTERVAL.toMillis()),
                held);
    }

    void refused(Admission.Cause cause) {
        refusals.increment(cause);
    }

    void degraded() {
        degraded.increment();
    }

    /** Counts a spilled event, and notifies its waiter. */
    void spilled(E event) {
        spilled.increment();
        if (event instanceof Answerable awaited) {
            guard.run(EVENT, awaited::spilled);
        }
    }

    /**
     * Drops an event if its waiter has cancelled it, as far as is known. Returns false if it still may be waited for.
     */
    boolean dropsCancelled(E event) {
        if (!isCancelled(event)) {
            return false;
        }
        dropped(event, Drop.of(Drop.Cause.CANCELLED, "its waiter cancelled it"));
        return true;
    }

    private boolean isCancelled(E event) {
        return event instanceof Answerable awaited && guard.get(EVENT, awaited::isCancelled, false);
    }

    /** Counts a dropped event, and notifies its waiter and the listener. */
    void dropped(E event, Drop drop) {
        drops.increment(drop.cause());
        lastDrop = Optional.of(drop.text());
        if (drop.thrown().isPresent()) {
            warnings.warn(
                    "handler",
                    "the handler threw an exception, so its event is dropped",
                    drop.thrown().get());
        }
        if (event instanceof Answerable awaited) {
            guard.run(
                    EVENT, () -> awaited.dropped("local stage %s: %s, %s".formatted(stage, drop.cause(), drop.text())));
        }
        guard.run(LISTENER, () -> listener.accept(event, drop));
    }

    LocalStatus status(
            boolean isPaused,
            long capacity,
            long waiting,
            int workers,
            int maxWorkers,
            int maxBatch,
            Map<String, Double> limits) {
        return new LocalStatus(
                stage,
                isPaused,
                capacity,
                waiting,
                workers,
                maxWorkers,
                maxBatch,
                done.sum(),
                drops.soFar(),
                refusals.soFar(),
                degraded.sum(),
                spilled.sum(),
                limits,
                lastDrop);
    }
}
