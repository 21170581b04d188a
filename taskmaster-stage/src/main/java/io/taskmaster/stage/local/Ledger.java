package io.taskmaster.stage.local;

import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Answerable;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What became of the events of a stage, and who is told. Thread-safe. */
final class Ledger<E> {

    private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);

    private final String stage;
    private final BiConsumer<? super E, Drop> listener;
    private final @Nullable EventTimes times;
    private final LongAdder done = new LongAdder();
    private final Counts<Drop.Cause> drops = new Counts<>(Drop.Cause.class);
    private final Counts<Admission.Cause> refusals = new Counts<>(Admission.Cause.class);
    private final LongAdder degraded = new LongAdder();
    private final LongAdder spilled = new LongAdder();
    private volatile Optional<String> lastDrop = Optional.empty();
    private volatile boolean failing;

    /**
     * @param times null: nobody wants to know how long events take
     */
    Ledger(String stage, BiConsumer<? super E, Drop> listener, @Nullable EventTimes times) {
        this.stage = stage;
        this.listener = listener;
        this.times = times;
    }

    void done(long count) {
        done.add(count);
        if (failing) {
            failing = false;
        }
    }

    boolean wantsTimes() {
        return times != null;
    }

    void took(long waitNanos, long serviceNanos) {
        if (times != null) {
            safely(() -> times.handled(waitNanos, serviceNanos));
        }
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
            safely(awaited::spilled);
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

    @SuppressWarnings("CatchingUnchecked") // Whatever the event throws, it is handled.
    private boolean isCancelled(E event) {
        try {
            return event instanceof Answerable awaited && awaited.isCancelled();
        } catch (Throwable unknown) {
            return false;
        }
    }

    /** Tells who waits for the event, and who listens. The first failure after a success is logged. */
    void dropped(E event, Drop drop) {
        drops.increment(drop.cause());
        lastDrop = Optional.of(drop.text());
        if (drop.thrown().isPresent()) {
            tell(drop.thrown().get());
        }
        if (event instanceof Answerable awaited) {
            safely(() -> awaited.dropped("local stage %s: %s, %s".formatted(stage, drop.cause(), drop.text())));
        }
        safely(() -> listener.accept(event, drop));
    }

    @SuppressWarnings("CatchingUnchecked") // Whatever a listener throws, the stage goes on.
    private void safely(Runnable listening) {
        try {
            listening.run();
        } catch (Throwable e) {
            LOG.error("local stage {}: who listens to it failed", stage, e);
        }
    }

    private void tell(Throwable thrown) {
        if (failing) {
            LOG.debug("local stage {}: an event is dropped", stage, thrown);
        } else {
            LOG.warn("local stage {}: an event is dropped", stage, thrown);
        }
        failing = true;
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
