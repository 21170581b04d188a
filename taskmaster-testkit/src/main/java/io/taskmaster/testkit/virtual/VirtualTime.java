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
 * All that happens, one after the other, in time that passes only from one to the next; what is to happen at the same time, in an order that the seed
 * chooses. Single-threaded: owned by the thread that made it; once another one has been here, it does not go on.
 */
public final class VirtualTime implements Timer {

    /** When it begins. */
    public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private record Event(long atNanos, long order, long number, Runnable what) {
        static final Comparator<Event> IN_TURN = Comparator.comparingLong(Event::atNanos)
                .thenComparingLong(Event::order)
                .thenComparingLong(Event::number);
    }

    private final RandomGenerator random;
    private final PriorityQueue<Event> events = new PriorityQueue<>(Event.IN_TURN);
    private long nowNanos;
    private long number;
    private long steps;
    private boolean stepping;
    private final Thread owner = Thread.currentThread();

    /** A thread that has no business here. */
    private volatile @Nullable Thread intruder;

    /**
     * @param random chooses the order of what is to happen at the same time
     */
    public VirtualTime(RandomGenerator random) {
        this.random = random;
    }

    /** Since the start. */
    @Override
    public long nanoTime() {
        return nowNanos;
    }

    @Override
    public Instant now() {
        return START.plusNanos(nowNanos);
    }

    /** Milliseconds since 1970. */
    public long millis() {
        return now().toEpochMilli();
    }

    /** Since the start. */
    public Duration elapsed() {
        return Duration.ofNanos(nowNanos);
    }

    /** How many events there have been. */
    public long steps() {
        return steps;
    }

    @Override
    public void schedule(Runnable task, long delayNanos) {
        if (!owner.equals(Thread.currentThread())) {
            intruder = Thread.currentThread();
            throw intrusion();
        }
        long atNanos = LongMath.saturatedAdd(nowNanos, Math.max(0, delayNanos));
        events.add(new Event(atNanos, random.nextLong(), number++, task));
    }

    /** Runs it after what runs now, at the same time. */
    public void soon(Runnable task) {
        schedule(task, 0);
    }

    /** Runs each task after a delay, as long as somebody is there to run it. */
    public Executor executor(BooleanSupplier alive, LongSupplier delayNanos) {
        return task -> schedule(whileAlive(alive, task), delayNanos.getAsLong());
    }

    /** The same time for somebody who may die: alarms then ring for nobody. */
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
     * Lets the next thing happen, if it happens by then.
     *
     * @return false if nothing does: then that point of time is reached
     */
    public boolean step(long untilNanos) {
        if (stepping) {
            throw new IllegalStateException(
                    "time: moved from within a handler or callback (expected: by the test alone)");
        }
        if (intruder != null) {
            throw intrusion();
        }
        Event next = events.peek();
        if (next == null || next.atNanos > untilNanos) {
            nowNanos = Math.max(nowNanos, untilNanos);
            return false;
        }
        events.remove();
        nowNanos = next.atNanos;
        steps++;
        stepping = true;
        try {
            next.what.run();
        } finally {
            stepping = false;
        }
        return true;
    }

    private IllegalStateException intrusion() {
        return new IllegalStateException(
                "thread: %s (expected: %s alone, which began this time)".formatted(intruder, owner));
    }
}
