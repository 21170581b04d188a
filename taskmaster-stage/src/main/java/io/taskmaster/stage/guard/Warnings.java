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
 * The warnings of one stage: one for each cause in {@link #INTERVAL} at most, with the number of those that were left out since the one before. All of them are logged at the
 * level DEBUG. Thread-safe.
 */
public final class Warnings {

    /** Between two warnings of one cause. */
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    /** What is known of one cause. */
    private static final class Cause {

        /** When the next warning may be logged. */
        private final AtomicLong opensNanos;

        private final AtomicLong leftOut = new AtomicLong();

        Cause(long nowNanos) {
            opensNanos = new AtomicLong(nowNanos);
        }

        /** Whether the caller is the one that logs. */
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
     * @param stage as the log is to name it
     */
    public Warnings(String stage, Logger log, Timer timer) {
        this.stage = stage;
        this.log = log;
        this.timer = timer;
    }

    /**
     * Logs a warning, if it is time for one.
     *
     * @param cause one of a fixed set
     * @param text for people
     * @param thrown what was thrown, if something was
     */
    public void warn(String cause, String text, @Nullable Throwable thrown) {
        long nowNanos = timer.nanoTime();
        Cause of = causes.computeIfAbsent(cause, _ -> new Cause(nowNanos));
        if (!of.opens(nowNanos)) {
            long _ = of.leftOut.incrementAndGet();
            log(Level.DEBUG, text, thrown);
            return;
        }
        long leftOut = of.leftOut.getAndSet(0);
        log(
                Level.WARN,
                leftOut == 0 ? text : text + " (and %d more since the last warning)".formatted(leftOut),
                thrown);
    }

    /** An exception of the application's may fail even at being logged. */
    @SuppressWarnings("CatchingUnchecked") // Whatever it throws, whoever warns goes on.
    private void log(Level level, String text, @Nullable Throwable thrown) {
        try {
            log.atLevel(level).setCause(thrown).log("{}: {}", stage, text);
        } catch (Throwable unloggable) {
            log.atLevel(level).log("{}: {} ({})", stage, text, thrown == null ? "" : thrown.getClass());
        }
    }
}
