package io.taskmaster.stage;

import io.taskmaster.client.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * A simulated clock and its event loop. Events run one after the other in simulated time; events of the same instant
 * run in random order. Single-threaded: owned by the test.
 */
public final class SimulatedTime implements Timer {

    private record Event(long atNanos, long order, long number, Runnable what) {
        static final Comparator<Event> BY_TIME = Comparator.comparingLong(Event::atNanos)
                .thenComparingLong(Event::order)
                .thenComparingLong(Event::number);
    }

    private final SplittableRandom random;
    private final PriorityQueue<Event> events = new PriorityQueue<>(Event.BY_TIME);
    private long now;
    private long number;

    public SimulatedTime(SplittableRandom random) {
        this.random = random;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(now);
    }

    @Override
    public void schedule(Runnable task, long delayNanos) {
        events.add(new Event(now + Math.max(0, delayNanos), random.nextLong(), number++, task));
    }

    /** Returns an executor that runs each task after a delay, while its owner is alive. */
    public Executor executor(LongSupplier delayNanos, BooleanSupplier alive) {
        return task -> schedule(
                () -> {
                    if (alive.getAsBoolean()) {
                        task.run();
                    }
                },
                delayNanos.getAsLong());
    }

    /** Returns a timer of the same time for an owner that may die; its alarms then have no effect. */
    public Timer of(BooleanSupplier alive) {
        return new Timer() {
            @Override
            public long nanoTime() {
                return now;
            }

            @Override
            public Instant now() {
                return SimulatedTime.this.now();
            }

            @Override
            public void schedule(Runnable task, long delayNanos) {
                SimulatedTime.this.schedule(
                        () -> {
                            if (alive.getAsBoolean()) {
                                task.run();
                            }
                        },
                        delayNanos);
            }
        };
    }

    /** Runs events until a condition holds. Returns false if it does not hold within this time. */
    public boolean runUntil(BooleanSupplier condition, Duration limit) {
        long end = now + limit.toNanos();
        while (!condition.getAsBoolean()) {
            Event next = events.peek();
            if (next == null || next.atNanos > end) {
                now = end;
                return condition.getAsBoolean();
            }
            events.remove();
            now = next.atNanos;
            next.what.run();
        }
        return true;
    }

    public void run(Duration span) {
        boolean _ = runUntil(() -> false, span);
    }
}
