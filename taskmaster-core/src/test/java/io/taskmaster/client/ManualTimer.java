package io.taskmaster.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A clock that stands still until the test moves it. Alarms ring meanwhile, each at its time. Single-threaded: owned by
 * the test.
 */
final class ManualTimer implements Timer {

    private record Alarm(long nanos, long number, Runnable task) {}

    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(Comparator.comparingLong(Alarm::nanos).thenComparingLong(Alarm::number));
    private long nanos;
    private long number;
    private Duration wallAhead = Duration.ZERO;

    /** Sets the time of day ahead of the monotonic clock. */
    ManualTimer wallAhead(Duration by) {
        wallAhead = by;
        return this;
    }

    int alarms() {
        return alarms.size();
    }

    void advance(Duration by) {
        long until = nanos + by.toNanos();
        while (!alarms.isEmpty() && alarms.peek().nanos() <= until) {
            Alarm next = alarms.remove();
            nanos = Math.max(nanos, next.nanos());
            next.task().run();
        }
        nanos = until;
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos).plus(wallAhead);
    }

    @Override
    public void schedule(Runnable task, long delayNanos) {
        number++;
        alarms.add(new Alarm(nanos + delayNanos, number, task));
    }
}
