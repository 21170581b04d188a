package io.taskmaster.testkit.virtual;

import com.google.common.math.LongMath;
import io.taskmaster.client.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A discrete-event simulation of time. Events run one after the other on the owner's thread; time advances only from
 * one event to the next.
 *
 * <p>Events that are due at the same instant run in an order that the seed chooses. So a run depends on nothing but its
 * seed.
 *
 * <p>Events run only within {@link #step}, and an event must not call it. Single-threaded: owned by the thread that
 * created it. A call from another thread fails, and so does every later step: the run could not be reproduced.
 */
public final class VirtualTime implements Timer {

    /** The time at which every simulation begins. */
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    /** A scheduled event; the random order decides between events of the same instant. */
    private record Event(long atNanos, long order, long number, Runnable task) {
        static final Comparator<Event> FIRING_ORDER = Comparator.comparingLong(Event::atNanos)
                .thenComparingLong(Event::order)
                .thenComparingLong(Event::number);
    }

    private final RandomGenerator random;
    private final PriorityQueue<Event> events = new PriorityQueue<>(Event.FIRING_ORDER);
    private long nowNanos;
    private long number;
    private long steps;
    private boolean stepping;
    private final Thread owner = Thread.currentThread();

    /**
     * The last thread other than the owner that scheduled an event; null if there was none. Volatile, since that thread
     * writes it.
     */
    private volatile @Nullable Thread foreignThread;

    /** @param random chooses the order of events that are due at the same instant */
    public VirtualTime(RandomGenerator random) {
        this.random = random;
    }

    /** Returns the nanoseconds since the start. */
    @Override
    public long nanoTime() {
        return nowNanos;
    }

    @Override
    public Instant now() {
        return START.plusNanos(nowNanos);
    }

    /** Returns the milliseconds since 1970. */
    public long millis() {
        return now().toEpochMilli();
    }

    /** Returns the time since the start. */
    public Duration elapsed() {
        return Duration.ofNanos(nowNanos);
    }

    /** Returns the number of events that have run. */
    public long steps() {
        return steps;
    }

    @Override
    public void schedule(Runnable task, long delayNanos) {
        if (!owner.equals(Thread.currentThread())) {
            // Remembered, since the intruder may swallow the exception: the next step then fails.
            foreignThread = Thread.currentThread();
            throw foreignThreadException();
        }
        long atNanos = LongMath.saturatedAdd(nowNanos, Math.max(0, delayNanos));
        events.add(new Event(atNanos, random.nextLong(), number++, task));
    }

    /** Runs a task after the current event, at the same instant. */
    public void soon(Runnable task) {
        schedule(task, 0);
    }

    /** Returns an executor that runs each task after a delay, unless its process has died by then. */
    public Executor executor(BooleanSupplier alive, LongSupplier delayNanos) {
        return task -> schedule(whileAlive(alive, task), delayNanos.getAsLong());
    }

    /** Returns a timer on this time for a process that may die: its alarms are dropped then. */
    public Timer of(BooleanSupplier alive) {
        return new Timer() {
            @Override
            public long nanoTime() {
                return nowNanos;
            }

            @Override
            public Instant now() {
                return VirtualTime.this.now();
            }

            @Override
            public void schedule(Runnable task, long delayNanos) {
                VirtualTime.this.schedule(whileAlive(alive, task), delayNanos);
            }
        };
    }

    private static Runnable whileAlive(BooleanSupplier alive, Runnable task) {
        return () -> {
            if (alive.getAsBoolean()) {
                task.run();
            }
        };
    }

    /**
     * Runs the next event, if it is due by the given time.
     *
     * @return false if none is: then that time has been reached
     */
    public boolean step(long untilNanos) {
        if (stepping) {
            throw new IllegalStateException("time: advanced in a handler or callback (expected: only by the test)");
        }
        if (foreignThread != null) {
            throw foreignThreadException();
        }
        Event next = events.peek();
        if (next == null || next.atNanos > untilNanos) {
            // The limit may lie in the past, and time never goes back.
            nowNanos = Math.max(nowNanos, untilNanos);
            return false;
        }
        events.remove();
        nowNanos = next.atNanos;
        steps++;
        stepping = true;
        try {
            next.task.run();
        } finally {
            stepping = false;
        }
        return true;
    }

    private IllegalStateException foreignThreadException() {
        return new IllegalStateException(
                "thread: %s (expected: %s, which created this virtual time)".formatted(foreignThread, owner));
    }
}
