package io.taskmaster.server.partition;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time by which leases end and delays are over, one for all partitions of a node. Thread-safe; does not block.
 *
 * <p>It begins at the wall clock and goes on by the monotonic clock, so that it neither stands still nor jumps when somebody sets the wall
 * clock: a lease of a minute is over after a minute, whatever the wall clock does meanwhile. While the two differ it goes a
 * {@value #SLEW}th slower or faster, until they agree again: so a lease is at most that much longer or shorter. Only a step ahead of more
 * than a day is followed at once: such a clock was plainly wrong before, and delays would be late for weeks.
 *
 * <p>A reading is a function of both clocks and of an anchor, which is what the last reading but a few came to; so most readings write
 * nothing. Between two anchors, a step of the wall clock can put it back by a fraction of a millisecond: each partition keeps the latest
 * time that it has seen.
 */
public final class EngineClock {

    /** How many times slower its correction is than time. */
    public static final int SLEW = 20;

    private static final Logger log = LoggerFactory.getLogger(EngineClock.class);

    /** The wall clock shows milliseconds: what is less is no difference. */
    private static final long NO_DIFFERENCE_MICROS = 1_000;

    private static final long ANCHORED_MICROS = 5_000;

    /** Less than this is not worth a warning: whoever keeps the clock right slews it. */
    private static final long STEP_MICROS = 1_000_000;

    private static final long FOLLOWED_MICROS = Duration.ofDays(1).toMillis() * 1_000;

    /** The end of the year 9999: in microseconds it is a long by far. */
    private static final long LAST_MILLIS = 253_402_300_799_999L;

    /**
     * What a reading came to.
     *
     * @param nanos of the monotonic clock
     * @param micros of this one, since 1970
     * @param aheadMicros of the wall clock by then
     */
    private record Anchor(long nanos, long micros, long aheadMicros) {}

    private final Clock clock;
    private final AtomicReference<Anchor> anchor;
    private final LongAdder steps = new LongAdder();

    public EngineClock(Clock clock) {
        this.clock = clock;
        this.anchor = new AtomicReference<>(new Anchor(clock.elapsedNanos(), wallMicros(), 0));
    }

    /** Milliseconds since 1970. */
    public long millis() {
        return read().micros / 1_000;
    }

    /** How far it is ahead of the wall clock; negative: behind. */
    long aheadMillis() {
        return read().aheadMicros / 1_000;
    }

    /** How often the wall clock was set by a second or more. */
    long steps() {
        return steps.sum();
    }

    private Anchor read() {
        Anchor last = anchor.get();
        // The wall clock second: whoever is held up between the two does not see it behind.
        long nanos = clock.elapsedNanos();
        long wallMicros = wallMicros();
        long passed = Math.max(0, nanos - last.nanos) / 1_000;
        long straight = last.micros + passed;
        long ahead = straight - wallMicros;
        boolean jumps = -ahead > FOLLOWED_MICROS;
        long micros = jumps ? wallMicros : straight - correction(ahead, passed);
        Anchor now = new Anchor(last.nanos + passed * 1_000, micros, micros - wallMicros);
        if ((jumps || passed >= ANCHORED_MICROS) && anchor.compareAndSet(last, now)) {
            look(last.aheadMicros - ahead, jumps);
        }
        return now;
    }

    private static long correction(long aheadMicros, long passedMicros) {
        long most = passedMicros / SLEW;
        return Math.abs(aheadMicros) <= NO_DIFFERENCE_MICROS ? 0 : Math.clamp(aheadMicros, -most, most);
    }

    /** Says so if the wall clock was set: forward by so much. */
    private void look(long steppedMicros, boolean followed) {
        if (Math.abs(steppedMicros) >= STEP_MICROS) {
            steps.increment();
            log.warn(
                    "the wall clock was set {} by {} (expected: small corrections); {}",
                    steppedMicros > 0 ? "ahead" : "back",
                    Duration.ofMillis(Math.abs(steppedMicros) / 1_000),
                    followed
                            ? "leases and delays follow at once, as it is more than a day"
                            : "leases go on by elapsed time, and so do delays, which approach the wall clock by a "
                                    + SLEW + "th");
        }
    }

    private long wallMicros() {
        return Math.clamp(clock.wallMillis(), 0, LAST_MILLIS) * 1_000;
    }
}
