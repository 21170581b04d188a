package io.taskmaster.client;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that moves forward with each alarm, so that alarms ring at once. In holding mode it keeps them until the test
 * runs them. Thread-safe.
 */
final class FakeTimer implements Timer {

    final List<Long> delays = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final boolean holding;
    private final List<Runnable> held = new ArrayList<>();

    FakeTimer() {
        this(false);
    }

    private FakeTimer(boolean holding) {
        this.holding = holding;
    }

    /** Returns a timer whose alarms do not ring by themselves. */
    static FakeTimer holding() {
        return new FakeTimer(true);
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanoTime());
    }

    @Override
    public synchronized void schedule(Runnable task, long delayNanos) {
        delays.add(delayNanos);
        if (holding) {
            held.add(task);
        } else {
            nanos.addAndGet(delayNanos);
            task.run();
        }
    }

    synchronized void ring() {
        List<Runnable> due = List.copyOf(held);
        held.clear();
        due.forEach(Runnable::run);
    }
}
