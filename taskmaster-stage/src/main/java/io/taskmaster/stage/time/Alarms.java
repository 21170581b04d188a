package io.taskmaster.stage.time;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Sink;
import io.taskmaster.stage.guard.Warnings;
import io.taskmaster.stage.time.Alarm.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events that come by themselves. A sink that refuses one is asked again when it says, until it takes it or will never do; one that comes every so
 * often is given up when the next is due, so that they do not pile up. Thread-safe.
 */
public final class Alarms implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Alarms.class);

    /** How many alarms may be set at once, unless told otherwise. */
    public static final int DEFAULT_MAX = 100_000;

    /** The longest delay, and the longest period. */
    public static final Duration LONGEST = Duration.ofDays(365);

    private final Timer timer;
    private final Warnings warnings;
    private final Executor executor;
    private final int max;
    private final long originNanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final NavigableSet<Alarm> line = new TreeSet<>(Alarm.BY_TIME);

    /** Alarms that have not ended: those in line, and those that ring at present. */
    @GuardedBy("lock")
    private int count;

    @GuardedBy("lock")
    private long lastNumber;

    /** When the timer comes. */
    @GuardedBy("lock")
    private final NavigableSet<Long> wakes = new TreeSet<>();

    @GuardedBy("lock")
    private boolean closed;

    private Alarms(Timer timer, Executor executor, int max) {
        if (max < 1) {
            throw new IllegalArgumentException("max: %d (expected: 1 or more)".formatted(max));
        }
        this.timer = timer;
        this.warnings = new Warnings("alarms", LOG, timer);
        this.executor = executor;
        this.max = max;
        this.originNanos = timer.nanoTime();
    }

    /** Real ones, which offer their events on a virtual thread each: a sink that blocks delays no other. */
    public static Alarms start() {
        ThreadFactory threads = Thread.ofVirtual().name("alarm-", 0).factory();
        return start(Timer.SYSTEM, ring -> threads.newThread(ring).start(), DEFAULT_MAX);
    }

    /**
     * In a world of the caller's.
     *
     * @param executor where events are offered
     * @param max how many alarms may be set at once
     */
    public static Alarms start(Timer timer, Executor executor, int max) {
        return new Alarms(timer, executor, max);
    }

    /**
     * Offers an event once, after a delay.
     *
     * @throws IllegalStateException if too many are set, or they are closed
     */
    public <E> Alarm after(Duration delay, E event, Sink<? super E> sink) {
        return set(within("delay", delay, 0), 0, event, sink);
    }

    /**
     * Offers an event every so often, for the first time after one period. It keeps time: that one was late delays no other.
     *
     * @throws IllegalStateException if too many are set, or they are closed
     */
    public <E> Alarm every(Duration period, E event, Sink<? super E> sink) {
        long periodNanos = within("period", period, 1);
        return set(periodNanos, periodNanos, event, sink);
    }

    private static long within(String name, Duration value, long leastNanos) {
        if (value.compareTo(LONGEST) > 0 || value.toNanos() < leastNanos) {
            throw new IllegalArgumentException(
                    "%s: %s (expected: %s to %s)".formatted(name, value, Duration.ofNanos(leastNanos), LONGEST));
        }
        return value.toNanos();
    }

    private <E> Alarm set(long delayNanos, long periodNanos, E event, Sink<? super E> sink) {
        requireNonNull(event, "event");
        requireNonNull(sink, "sink");
        Supplier<Admission> offer = () -> sink.offer(event);
        lock.lock();
        try {
            if (closed || count >= max) {
                throw new IllegalStateException(
                        closed
                                ? "alarms: closed (expected: open)"
                                : "alarms: %d are set (expected: fewer than %d)".formatted(count, max));
            }
            count++;
            Alarm alarm = new Alarm(this, lastNumber++, nowNanos() + delayNanos, periodNanos, offer);
            line.add(alarm);
            arm();
            return alarm;
        } finally {
            lock.unlock();
        }
    }

    private long nowNanos() {
        return timer.nanoTime() - originNanos;
    }

    /** Has the timer come for the first in line, unless it comes before. */
    @GuardedBy("lock")
    private void arm() {
        if (line.isEmpty() || (!wakes.isEmpty() && wakes.first() <= line.first().dueNanos())) {
            return;
        }
        long atNanos = line.first().dueNanos();
        wakes.add(atNanos);
        timer.schedule(() -> wake(atNanos), Math.max(0, atNanos - nowNanos()));
    }

    private void wake(long atNanos) {
        List<Alarm> due = new ArrayList<>();
        lock.lock();
        try {
            wakes.remove(atNanos);
            // An alarm is due by the time that it was set for, however early a timer comes.
            long nowNanos = Math.max(nowNanos(), atNanos);
            while (!line.isEmpty() && line.first().dueNanos() <= nowNanos) {
                due.add(requireNonNull(line.pollFirst()));
            }
            arm();
        } finally {
            lock.unlock();
        }
        due.forEach(this::call);
    }

    private void call(Alarm alarm) {
        try {
            executor.execute(() -> ring(alarm));
        } catch (RejectedExecutionException e) {
            warnings.warn("executor", "there is no thread to offer an event on", e);
            boolean _ = end(alarm, End.FAILED);
        }
    }

    @SuppressWarnings("CatchingUnchecked") // Whatever a sink throws, others get their events.
    private void ring(Alarm alarm) {
        if (alarm.isOver()) {
            return;
        }
        Admission said;
        OptionalLong next;
        try {
            said = requireNonNull(alarm.ring(), "what a sink says");
            next = isFinal(said) ? OptionalLong.empty() : alarm.next(said, nowNanos());
        } catch (Throwable e) {
            warnings.warn("sink", "a sink failed", e);
            boolean _ = end(alarm, End.FAILED);
            return;
        }
        if (isFinal(said)) {
            boolean _ = end(alarm, End.REFUSED);
            return;
        }
        if (next.isPresent()) {
            again(alarm, next.getAsLong());
        } else {
            boolean _ = end(alarm, End.DELIVERED);
        }
    }

    /** Whether it is never going to take the event. */
    private static boolean isFinal(Admission said) {
        return said instanceof Refused(Cause cause, Duration _) && (cause == Cause.CLOSED || cause == Cause.TOO_LARGE);
    }

    private void again(Alarm alarm, long dueNanos) {
        lock.lock();
        try {
            if (!closed && !alarm.isOver()) {
                alarm.due(dueNanos);
                line.add(alarm);
                arm();
                return;
            }
        } finally {
            lock.unlock();
        }
        boolean _ = end(alarm, End.CLOSED);
    }

    boolean end(Alarm alarm, End end) {
        lock.lock();
        try {
            if (!alarm.end()) {
                return false;
            }
            line.remove(alarm);
            count--;
        } finally {
            lock.unlock();
        }
        alarm.tell(end);
        return true;
    }

    /** How many alarms are set. */
    public int size() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** No event comes any more, but for those that are being offered at this moment. Idempotent; does not block. */
    @Override
    public void close() {
        List<Alarm> left;
        lock.lock();
        try {
            closed = true;
            left = List.copyOf(line);
        } finally {
            lock.unlock();
        }
        left.forEach(alarm -> end(alarm, End.CLOSED));
    }
}
