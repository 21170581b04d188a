package io.taskmaster.stage.local.admission;

import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Controlled delay (RFC 8289), applied at the other end of the queue: instead of dropping events at its head, it
 * refuses them at its tail, where the producer still has them. Pure; immutable.
 *
 * <pre>{@code
 * state    | event                                    | next state | effect
 * CALM     | a wait of the target or more             | WARNED     | the alarm is set an interval ahead
 * WARNED   | a wait below the target                  | CALM       |
 * WARNED   | a wait of the target or more, alarm due  | REFUSING   | the next event is refused
 * REFUSING | an event comes when a refusal is due     | REFUSING   | refused; the next one is due later
 * REFUSING | a wait below the target                  | CALM       | the count of refusals is kept for a while
 * }</pre>
 *
 * Refusals are an interval / sqrt(refused) apart. If it begins to refuse again within eight intervals of the next
 * refusal that was due, it goes on with two refusals less than it had counted; otherwise it counts from 0.
 *
 * @param alarmNanos when {@code WARNED} becomes {@code REFUSING}, unless a short wait comes first; absent in
 *     {@code CALM}
 * @param isRefusing whether it is {@code REFUSING}
 * @param refused the number of refusals in the present or the latest {@code REFUSING}
 * @param nextNanos when the next event is to be refused, or would have been
 */
record CoDel(
        long targetNanos,
        long intervalNanos,
        OptionalLong alarmNanos,
        boolean isRefusing,
        int refused,
        long nextNanos) {

    /** The number of intervals without refusals after which it counts from 0 again. */
    private static final int RECENT_INTERVALS = 8;

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

    /** Returns the state after an event has waited. */
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
        // The rate that was enough before is a better start than one refusal an interval.
        boolean isRecent = refused > 2 && nowNanos - nextNanos < RECENT_INTERVALS * intervalNanos;
        return new CoDel(targetNanos, intervalNanos, alarmNanos, true, isRecent ? refused - 2 : 0, nowNanos);
    }

    /** Returns whether an event that comes now is to be refused. */
    boolean refuses(long nowNanos) {
        return isRefusing && nowNanos - nextNanos >= 0;
    }

    /** The rate of refusals per second if enough events come; 0: none. */
    double refusalsPerSecond() {
        return isRefusing ? Math.sqrt(Math.max(1, refused)) * NANOS_PER_SECOND / intervalNanos : 0;
    }

    /** Returns the state after a refusal. */
    CoDel afterRefusal() {
        int count = refused + 1;
        long pauseNanos = Math.round(intervalNanos / Math.sqrt(count));
        return new CoDel(targetNanos, intervalNanos, alarmNanos, true, count, nextNanos + pauseNanos);
    }
}
