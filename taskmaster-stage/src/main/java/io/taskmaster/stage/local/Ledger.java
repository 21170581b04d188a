package io.taskmaster.stage.local;

import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Answerable;
import io.taskmaster.stage.guard.Guard;
import io.taskmaster.stage.guard.Warnings;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What became of the events of a stage, and who is told. Thread-safe. */
final class Ledger<E> {

    private static final String EVENT = "an event that somebody waits for";
    private static final String LISTENER = "a listener";

    private final String stage;
    private final BiConsumer<? super E, Drop> listener;
    private final @Nullable EventTimes times;
    private final Warnings warnings;
    private final Guard guard;
    private final LongAdder done = new LongAdder();
    private final Counts<Drop.Cause> drops = new Counts<>(Drop.Cause.class);
    private final Counts<Admission.Cause> refusals = new Counts<>(Admission.Cause.class);
    private final LongAdder degraded = new LongAdder();
    private final LongAdder spilled = new LongAdder();
    private volatile Optional<String> lastDrop = Optional.empty();

    /**
     * @param times null: nobody wants to know how long events take
     */
    Ledger(String stage, BiConsumer<? super E, Drop> listener, @Nullable EventTimes times, Warnings warnings) {
        this.stage = stage;
        this.listener = listener;
        this.times = times;
        this.warnings = warnings;
        this.guard = new Guard(warnings);
    }

    void done(long count) {
        done.add(count);
    }

    /** Calls what else the application has handed in. */
    Guard guard() {
        return guard;
    }

    boolean wantsTimes() {
        return times != null;
    }

    void took(long waitNanos, long serviceNanos) {
        if (times != null) {
            guard.run(LISTENER, () -> times.handled(waitNanos, serviceNanos));
        }
    }

    /** A handler holds a thread that others may need. */
    void isSlow(StackTraceElement[] where) {
        Throwable held = new Throwable("where the handler is");
        held.setStackTrace(where);
        warnings.warn(
                "thread",
                "a handler has held a thread that all stages share for more than %d ms (expected: less, or a stage that is blocking)"
                        .formatted(Watchdog.INTERVAL.toMillis()),
                held);
    }

    void refused(Admission.Cause cause) {
        refusals.increment(cause);
    }

    void degraded() {
        degraded.increment();
    }

    /** Tells who waits for the event. */
    void spilled(E event) {
        spilled.increment();
        if (event instanceof Answerable awaited) {
            guard.run(EVENT, awaited::spilled);
        }
    }

    /** Drops an event that nobody waits for any more, as far as one can know. False: somebody may. */
    boolean dropsCancelled(E event) {
        if (!isCancelled(event)) {
            return false;
        }
        dropped(event, Drop.of(Drop.Cause.CANCELLED, "nobody waits for it any more"));
        return true;
    }

    private boolean isCancelled(E event) {
        return event instanceof Answerable awaited && guard.get(EVENT, awaited::isCancelled, false);
    }

    /** Tells who waits for the event, and who listens. */
    void dropped(E event, Drop drop) {
        drops.increment(drop.cause());
        lastDrop = Optional.of(drop.text());
        if (drop.thrown().isPresent()) {
            warnings.warn("handler", "an event is dropped", drop.thrown().get());
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
