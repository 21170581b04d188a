package io.taskmaster.server.partition.loop;

import io.taskmaster.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of leases and delays, the same for all partitions of a node (ADR 11). Thread-safe; does not block.
 *
 * <p>It starts at the wall clock and advances with the monotonic clock, so it neither stands still nor jumps when the
 * wall clock is set: a lease of a minute ends after a minute, whatever the wall clock does meanwhile. While the two
 * differ it runs slower or faster by a {@value #SLEW}th, until they agree again. So a lease is at most that much longer
 * or shorter. Only a step ahead of more than a day is followed at once: such a clock was plainly wrong before, and
 * delays would be late for weeks.
 *
 * <p>A reading is a function of both clocks and of an anchor, which is a recent reading, so most readings write
 * nothing. Between two anchors a step of the wall clock can set it back by a fraction of a millisecond: each partition
 * keeps the latest time that it has seen.
 */
public final class EngineClock {

    /** The divisor of the correction: it is slower than time by this factor. */
    public static final int SLEW = 20;

    private static final Logger log = LoggerFactory.getLogger(EngineClock.class);

    /** The resolution of the wall clock, a millisecond: a smaller difference is none. */
    private static final long TOLERANCE_MICROS = 1_000;

    private static final long ANCHOR_INTERVAL_MICROS = 5_000;

    /** The least step that is logged: smaller ones are the corrections of a synchronized clock. */
    private static final long REPORTED_STEP_MICROS = 1_000_000;

    private static final long MAX_SLEW_MICROS = Duration.ofDays(1).toMillis() * 1_000;

    /** The end of the year 9999: in microseconds it fits a long by far. */
    private static final long MAX_MILLIS = 253_402_300_799_999L;

    /**
     * A reading from which later ones are computed.
     *
     * @param nanos of the monotonic clock
     * @param micros of this clock, since 1970
     * @param aheadMicros the lead over the wall clock at that time
     */
    private record Anchor(long nanos, long micros, long aheadMicros) {}

    private final Clock clock;
    private final AtomicReference<Anchor> anchor;
    private final LongAdder steps = new LongAdder();

    public EngineClock(Clock clock) {
        this.clock = clock;
        this.anchor = new AtomicReference<>(new Anchor(clock.elapsedNanos(), wallMicros(), 0));
    }

    /** Returns milliseconds since 1970. */
    public long millis() {
        return read().micros / 1_000;
    }

    /** Returns the lead over the wall clock; negative: behind. */
    public long aheadMillis() {
        return read().aheadMicros / 1_000;
    }

    /** Returns the number of times that the wall clock was set by a second or more. */
    public long steps() {
        return steps.sum();
    }

    private Anchor read() {
        Anchor last = anchor.get();
        // The wall clock is read second: a thread that is suspended between the two sees it ahead, not behind.
        long nanos = clock.elapsedNanos();
        long wallMicros = wallMicros();
        long elapsedMicros = Math.max(0, nanos - last.nanos) / 1_000;
        long unslewed = last.micros + elapsedMicros;
        long ahead = unslewed - wallMicros;
        boolean jumps = -ahead > MAX_SLEW_MICROS;
        long micros = jumps ? wallMicros : unslewed - correction(ahead, elapsedMicros);
        // Not the reading itself: the fraction of a microsecond that was cut off is left for the next anchor.
        Anchor now = new Anchor(last.nanos + elapsedMicros * 1_000, micros, micros - wallMicros);
        // Only the thread that moves the anchor looks for a step, so each step is counted once.
        if ((jumps || elapsedMicros >= ANCHOR_INTERVAL_MICROS) && anchor.compareAndSet(last, now)) {
            reportStep(last.aheadMicros - ahead, jumps);
        }
        return now;
    }

    private static long correction(long aheadMicros, long elapsedMicros) {
        long maxCorrection = elapsedMicros / SLEW;
        return Math.abs(aheadMicros) <= TOLERANCE_MICROS ? 0 : Math.clamp(aheadMicros, -maxCorrection, maxCorrection);
    }

    /**
     * Counts and logs a step of the wall clock.
     *
     * @param steppedMicros the step; positive: ahead
     */
    private void reportStep(long steppedMicros, boolean jumped) {
        if (Math.abs(steppedMicros) >= REPORTED_STEP_MICROS) {
            steps.increment();
            log.warn(
                    "the wall clock was set {} by {} (expected: small corrections): {}",
                    steppedMicros > 0 ? "forward" : "back",
                    Duration.ofMillis(Math.abs(steppedMicros) / 1_000),
                    jumped
                            ? "leases and delays follow it at once, because the step is more than a day"
                            : "leases go by elapsed time, and so do delays, which approach the wall clock by a " + SLEW
                                    + "th");
        }
    }

    private long wallMicros() {
        return Math.clamp(clock.wallMillis(), 0, MAX_MILLIS) * 1_000;
    }
}
