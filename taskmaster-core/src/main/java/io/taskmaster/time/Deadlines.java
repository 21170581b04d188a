package io.taskmaster.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The arithmetic of deadlines. Whatever time or duration a caller chooses, the result saturates instead of overflowing:
 * far in the future stays far in the future. Stateless.
 *
 * <p>Readings of {@link System#nanoTime} may be negative and may wrap, so two of them are compared by their difference.
 * That is correct only while they are less than half the range apart. So a delay in nanoseconds is never longer than
 * {@link #FAR_NANOS}. A timer that is due then fires, finds that its time has not come, and is set again.
 */
public final class Deadlines {

    /**
     * The longest delay of a timer, about 73 years: the difference of any two deadlines that are no further away fits
     * into a long.
     */
    public static final long FAR_NANOS = Long.MAX_VALUE >> 2;

    private Deadlines() {}

    /** Returns a duration in nanoseconds, at most {@link #FAR_NANOS} of either sign. */
    public static long nanos(Duration span) {
        return bounded(TimeUnit.NANOSECONDS.convert(span));
    }

    /** Returns milliseconds in nanoseconds, at most {@link #FAR_NANOS} of either sign. */
    public static long nanos(long millis) {
        return bounded(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Returns a duration in milliseconds, saturated to the range of a long. */
    public static long millis(Duration span) {
        return TimeUnit.MILLISECONDS.convert(span);
    }

    /** Returns the reading of a monotonic clock after a delay: at most {@link #FAR_NANOS} from now. */
    public static long afterNanos(long nowNanos, long delayNanos) {
        return nowNanos + bounded(delayNanos);
    }

    /** Returns the milliseconds since 1970 after a delay, saturated to the range of a long. */
    public static long afterMillis(long nowMillis, long delayMillis) {
        long sum = nowMillis + delayMillis;
        boolean overflows = ((nowMillis ^ sum) & (delayMillis ^ sum)) < 0;
        return !overflows ? sum : nowMillis < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /**
     * Returns the milliseconds from now to a time, both since 1970, saturated to the range of a long; negative if the
     * time is past.
     */
    public static long millisUntil(long atMillis, long nowMillis) {
        long difference = atMillis - nowMillis;
        boolean overflows = ((atMillis ^ nowMillis) & (atMillis ^ difference)) < 0;
        return !overflows ? difference : atMillis < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** Returns the instant after a delay, saturated to the range of {@link Instant}. */
    public static Instant after(Instant now, Duration delay) {
        boolean late = delay.compareTo(Duration.between(now, Instant.MAX)) > 0;
        boolean early = delay.compareTo(Duration.between(now, Instant.MIN)) < 0;
        return late ? Instant.MAX : early ? Instant.MIN : now.plus(delay);
    }

    private static long bounded(long nanos) {
        return Math.clamp(nanos, -FAR_NANOS, FAR_NANOS);
    }
}
