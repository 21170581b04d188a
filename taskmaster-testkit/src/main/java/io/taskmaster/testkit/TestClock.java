package io.taskmaster.testkit;

import io.taskmaster.time.Clock;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock of a server in a test: the machine's, plus the time by which the test has advanced it.
 *
 * <p>A standing clock stands still only for the times of the contract (lease expiry, delays, request ids). Internal
 * work of the server, such as the write-back of dirty windows, continues. Thread-safe.
 */
final class TestClock implements Clock {

    private final AtomicLong aheadNanos = new AtomicLong();
    private final AtomicLong lastMicros = new AtomicLong();
    private final boolean standing;
    private final long standsAtMillis;

    private TestClock(boolean standing, long standsAtMillis) {
        this.standing = standing;
        this.standsAtMillis = standsAtMillis;
    }

    /** Returns a clock that runs as the machine's does. */
    static TestClock running() {
        return new TestClock(false, 0);
    }

    /** Returns a clock that stands still unless it is advanced. */
    static TestClock standingAt(Instant time) {
        return new TestClock(true, time.toEpochMilli());
    }

    /** Advances the clock. The caller must notify timers that wait on it. */
    void advance(Duration span) {
        if (span.isNegative()) {
            throw new IllegalArgumentException("advance: " + span + " (expected: zero or more)");
        }
        aheadNanos.addAndGet(Deadlines.nanos(span));
    }

    Instant now() {
        return Instant.ofEpochMilli(wallMillis());
    }

    /**
     * Returns microseconds since the epoch that increase with every call, which orders any two events. While the clock
     * stands still, they run ahead of it by the number of calls.
     */
    long micros() {
        long now = standing
                ? wallMillis() * 1_000
                : ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) + aheadNanos.get() / 1_000;
        return lastMicros.accumulateAndGet(now, (last, next) -> Math.max(last + 1, next));
    }

    @Override
    public long wallMillis() {
        return (standing ? standsAtMillis : System.currentTimeMillis()) + aheadNanos.get() / 1_000_000;
    }

    @Override
    public long elapsedNanos() {
        return standing ? aheadNanos.get() : nanos();
    }

    @Override
    public long nanos() {
        return System.nanoTime() + aheadNanos.get();
    }
}
