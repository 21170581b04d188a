package io.taskmaster.stage.guard;

import io.taskmaster.client.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * The warnings of one stage: at most one per cause in each {@link #INTERVAL}, with the number of those left out since
 * the last. Those are logged at the level DEBUG. Thread-safe.
 */
public final class Warnings {

    /** The minimum interval between two warnings of one cause: 10 s. */
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    /** The state of one cause. */
    private static final class Cause {

        /** The time from which on the next warning may be logged, in nanoseconds. */
        private final AtomicLong opensNanos;

        private final AtomicLong suppressed = new AtomicLong();

        Cause(long nowNanos) {
            opensNanos = new AtomicLong(nowNanos);
        }

        /** Returns whether the caller may log; true for one caller in each interval. */
        boolean opens(long nowNanos) {
            long opens = opensNanos.get();
            return nowNanos - opens >= 0 && opensNanos.compareAndSet(opens, nowNanos + INTERVAL.toNanos());
        }
    }

    private final String stage;
    private final Logger log;
    private final Timer timer;
    private final Map<String, Cause> causes = new ConcurrentHashMap<>();

    /**
     * Creates the warnings of one stage.
     *
     * @param stage the name of the stage for the log
     */
    public Warnings(String stage, Logger log, Timer timer) {
        this.stage = stage;
        this.log = log;
        this.timer = timer;
    }

    /**
     * Logs a warning, or a debug message if a warning of the same cause was logged within {@link #INTERVAL}. Never
     * throws.
     *
     * @param cause one of a fixed set, since the state of each cause is kept
     * @param text the message
     * @param thrown the exception, or null
     */
    public void warn(String cause, String text, @Nullable Throwable thrown) {
        long nowNanos = timer.nanoTime();
        Cause of = causes.computeIfAbsent(cause, key -> new Cause(nowNanos));
        if (!of.opens(nowNanos)) {
            of.suppressed.incrementAndGet();
            log(Level.DEBUG, text, thrown);
            return;
        }
        long suppressed = of.suppressed.getAndSet(0);
        log(
                Level.WARN,
                suppressed == 0 ? text : text + " (and %d more since the last warning)".formatted(suppressed),
                thrown);
    }

    /** Logs a message. An exception of the application may itself throw while it is logged; then only its class is. */
    @SuppressWarnings("CatchingUnchecked") // Whatever it throws, the caller goes on.
    private void log(Level level, String text, @Nullable Throwable thrown) {
        try {
            log.atLevel(level).setCause(thrown).log("{}: {}", stage, text);
        } catch (Throwable unloggable) {
            log.atLevel(level).log("{}: {} ({})", stage, text, thrown == null ? "" : thrown.getClass());
        }
    }
}
