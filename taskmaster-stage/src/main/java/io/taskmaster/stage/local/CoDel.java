package io.taskmaster.stage.local;

import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Controlled delay (RFC 8289), turned round: what it would drop at the head of the queue is refused at its end, where the producer still has it.
 * Pure; immutable.
 *
 * <pre>
 * CALM       a wait above the target       -> WARNED until an interval has passed
 * WARNED     a wait below it               -> CALM
 *            one above it, interval over   -> REFUSING, at once
 * REFUSING   an event comes when one is due to be refused: the next is due an interval / sqrt(refused) later
 *            a wait below the target       -> CALM; when it comes back soon, it goes on where it was
 * </pre>
 *
 * @param alarmNanos when WARNED becomes REFUSING, unless a short wait comes first
 * @param refused so many since it is REFUSING, or was last
 * @param nextNanos when the next event is refused, or would be
 */
record CoDel(
        long targetNanos,
        long intervalNanos,
        OptionalLong alarmNanos,
        boolean isRefusing,
        int refused,
        long nextNanos) {

    /** Intervals without refusals after which it starts anew. */
    private static final int FORGETS_AFTER = 8;

    private static final double NANOS_PER_SECOND = 1e9;

    static CoDel of(Duration target, Duration interval) {
        return new CoDel(Deadlines.nanos(target), Deadlines.nanos(interval), OptionalLong.empty(), false, 0, 0);
    }

    static void requirePositive(Duration target, Duration interval) {
        if (!target.isPositive() || interval.compareTo(target) < 0) {
            throw new IllegalArgumentException(
                    "target: %s, interval: %s (expected: above 0, and no longer than the interval)"
                            .formatted(target, interval));
        }
    }

    /** An event has waited so long. */
    CoDel waited(long waitNanos, long nowNanos) {
        if (waitNanos < targetNanos) {
            return alarmNanos.isEmpty() && !isRefusing
                    ? this
                    : new CoDel(targetNanos, intervalNanos, OptionalLong.empty(), false, refused, nextNanos);
        }
        if (alarmNanos.isEmpty()) {
            return new CoDel(
                    targetNanos, intervalNanos, OptionalLong.of(nowNanos + intervalNanos), false, refused, nextNanos);
        }
        if (isRefusing || nowNanos - alarmNanos.getAsLong() < 0) {
            return this;
        }
        boolean soon = refused > 2 && nowNanos - nextNanos < FORGETS_AFTER * intervalNanos;
        return new CoDel(targetNanos, intervalNanos, alarmNanos, true, soon ? refused - 2 : 0, nowNanos);
    }

    /** Whether an event that comes now is to be refused. */
    boolean refuses(long nowNanos) {
        return isRefusing && nowNanos - nextNanos >= 0;
    }

    /** How many it refuses in a second, if so many come; 0: none. */
    double refusalsPerSecond() {
        return isRefusing ? Math.sqrt(Math.max(1, refused)) * NANOS_PER_SECOND / intervalNanos : 0;
    }

    /** It was. */
    CoDel afterRefusal() {
        int count = refused + 1;
        long pauseNanos = Math.round(intervalNanos / Math.sqrt(count));
        return new CoDel(targetNanos, intervalNanos, alarmNanos, true, count, nextNanos + pauseNanos);
    }
}
