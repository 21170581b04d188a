package io.taskmaster.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The arithmetic of deadlines: whatever a caller chooses as a time or a duration, the result saturates instead of overflowing. Far in the
 * future stays far in the future. Stateless.
 *
 * <p>Readings of {@link System#nanoTime} may be negative and may wrap, so two of them are compared by their difference. That is right only
 * while they are less than half the range apart: a delay in nanoseconds is therefore never longer than {@link #FAR_NANOS}. A timer that is
 * due then goes off, finds that its time has not come, and is set again.
 */
public final class Deadlines {

    /** The longest delay of a timer, about 73 years: of any two deadlines that are no further away, the difference is a long. */
    public static final long FAR_NANOS = Long.MAX_VALUE >> 2;

    private Deadlines() {}

    /** A duration in nanoseconds, at most {@link #FAR_NANOS} of either sign. */
    public static long nanos(Duration span) {
        return bounded(TimeUnit.NANOSECONDS.convert(span));
    }

    /** Milliseconds in nanoseconds, at most {@link #FAR_NANOS} of either sign. */
    public static long nanos(long millis) {
        return bounded(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** A duration in milliseconds; one that is no long is the longest there is. */
    public static long millis(Duration span) {
        return TimeUnit.MILLISECONDS.convert(span);
    }

    /** The reading of a monotonic clock after a delay: at most {@link #FAR_NANOS} from now. */
    public static long afterNanos(long nowNanos, long delayNanos) {
        return nowNanos + bounded(delayNanos);
    }

    /** The milliseconds since 1970 after a delay; {@link Long#MAX_VALUE} if that is no long. */
    public static long afterMillis(long nowMillis, long delayMillis) {
        long sum = nowMillis + delayMillis;
        boolean overflows = ((nowMillis ^ sum) & (delayMillis ^ sum)) < 0;
        return !overflows ? sum : nowMillis < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** The milliseconds from now to a time, both since 1970; saturated likewise, and negative if it is past. */
    public static long millisUntil(long atMillis, long nowMillis) {
        long difference = atMillis - nowMillis;
        boolean overflows = ((atMillis ^ nowMillis) & (atMillis ^ difference)) < 0;
        return !overflows ? difference : atMillis < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** The instant after a delay; the first or the last one there is if that is none. */
    public static Instant after(Instant now, Duration delay) {
        boolean late = delay.compareTo(Duration.between(now, Instant.MAX)) > 0;
        boolean early = delay.compareTo(Duration.between(now, Instant.MIN)) < 0;
        return late ? Instant.MAX : early ? Instant.MIN : now.plus(delay);
    }

    private static long bounded(long nanos) {
        return Math.clamp(nanos, -FAR_NANOS, FAR_NANOS);
    }
}
