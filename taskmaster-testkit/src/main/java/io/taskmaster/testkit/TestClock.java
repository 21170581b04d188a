package io.taskmaster.testkit;

import io.taskmaster.server.partition.Clock;
import io.taskmaster.time.Deadlines;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clocks of a server in a test: ahead of the machine's by what they were moved. Those that stand still do so only for what the contract
 * speaks of (ends of leases, delays, request ids); what the server does by itself, such as writing back what is dirty, goes on. Thread-safe.
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

    /** Goes as the machine's does. */
    static TestClock running() {
        return new TestClock(false, 0);
    }

    /** Stands still unless it is moved. */
    static TestClock standingAt(Instant time) {
        return new TestClock(true, time.toEpochMilli());
    }

    /** Moves ahead. Whoever sleeps by it has to be told. */
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
     * Microseconds since the epoch, more at every call: what tells which of two events was first. Where time stands still, they run ahead of
     * it by as many as were asked for.
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
