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
 * Timer events, once or periodic. A sink that refuses an event is asked again after the delay that it gives, until it
 * takes the event or refuses it for good. A periodic event is given up when the next one is due, so that events do not
 * pile up. Thread-safe.
 */
public final class Alarms implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Alarms.class);

    /** The most alarms that may be set at once, by default. */
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
    private final NavigableSet<Alarm> queue = new TreeSet<>(Alarm.BY_TIME);

    /** The number of alarms that have not ended: those in line, and those that are ringing. */
    @GuardedBy("lock")
    private int count;

    @GuardedBy("lock")
    private long lastNumber;

    /** The times at which the timer will call. */
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

    /**
     * Starts in real time, with a virtual thread for each event that is offered: a sink that blocks delays no other.
     */
    public static Alarms start() {
        ThreadFactory threads = Thread.ofVirtual().name("alarm-", 0).factory();
        return start(Timer.SYSTEM, ring -> threads.newThread(ring).start(), DEFAULT_MAX);
    }

    /**
     * Starts on a timer and an executor of the caller.
     *
     * @param executor the executor on which events are offered
     * @param max the most alarms that may be set at once
     */
    public static Alarms start(Timer timer, Executor executor, int max) {
        return new Alarms(timer, executor, max);
    }

    /**
     * Offers an event once, after a delay.
     *
     * @throws IllegalStateException if {@code max} alarms are set, or they are closed
     */
    public <E> Alarm after(Duration delay, E event, Sink<? super E> sink) {
        return set(within("delay", delay, 0), 0, event, sink);
    }

    /**
     * Offers an event periodically, for the first time after one period. Ticks keep to their schedule: a late one does
     * not delay the next.
     *
     * @throws IllegalStateException if {@code max} alarms are set, or they are closed
     */
    public <E> Alarm every(Duration period, E event, Sink<? super E> sink) {
        long periodNanos = within("period", period, 1);
        return set(periodNanos, periodNanos, event, sink);
    }

    private static long within(String name, Duration value, long minNanos) {
        if (value.compareTo(LONGEST) > 0 || value.toNanos() < minNanos) {
            throw new IllegalArgumentException(
                    "%s: %s (expected: %s to %s)".formatted(name, value, Duration.ofNanos(minNanos), LONGEST));
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
                                : "alarms: %d set (expected: fewer than %d)".formatted(count, max));
            }
            count++;
            Alarm alarm = new Alarm(this, lastNumber++, nowNanos() + delayNanos, periodNanos, offer);
            queue.add(alarm);
            arm();
            return alarm;
        } finally {
            lock.unlock();
        }
    }

    private long nowNanos() {
        return timer.nanoTime() - originNanos;
    }

    /** Schedules a call of the timer for the first in line, unless one comes before. */
    @GuardedBy("lock")
    private void arm() {
        if (queue.isEmpty()
                || (!wakes.isEmpty() && wakes.first() <= queue.first().dueNanos())) {
            return;
        }
        long atNanos = queue.first().dueNanos();
        wakes.add(atNanos);
        timer.schedule(() -> wake(atNanos), Math.max(0, atNanos - nowNanos()));
    }

    private void wake(long atNanos) {
        List<Alarm> due = new ArrayList<>();
        lock.lock();
        try {
            wakes.remove(atNanos);
            // A timer may call early by its clock. Alarms that were set for this time are due all the same.
            long nowNanos = Math.max(nowNanos(), atNanos);
            while (!queue.isEmpty() && queue.first().dueNanos() <= nowNanos) {
                due.add(requireNonNull(queue.pollFirst()));
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
            warnings.warn("executor", "no thread to offer an event on", e);
            end(alarm, End.FAILED);
        }
    }

    @SuppressWarnings("CatchingUnchecked") // A sink's exception must not affect the events of others.
    private void ring(Alarm alarm) {
        if (alarm.isFinished()) {
            return;
        }
        Admission admission;
        OptionalLong next;
        try {
            admission = requireNonNull(alarm.ring(), "the admission by a sink");
            next = isFinal(admission) ? OptionalLong.empty() : alarm.next(admission, nowNanos());
        } catch (Throwable e) {
            warnings.warn("sink", "a sink threw an exception", e);
            end(alarm, End.FAILED);
            return;
        }
        if (isFinal(admission)) {
            end(alarm, End.REFUSED);
            return;
        }
        if (next.isPresent()) {
            reschedule(alarm, next.getAsLong());
        } else {
            end(alarm, End.DELIVERED);
        }
    }

    /** Returns whether the sink will never take the event. */
    private static boolean isFinal(Admission admission) {
        return admission instanceof Refused refused
                && (refused.cause() == Cause.CLOSED || refused.cause() == Cause.TOO_LARGE);
    }

    private void reschedule(Alarm alarm, long dueNanos) {
        lock.lock();
        try {
            if (!closed && !alarm.isFinished()) {
                alarm.due(dueNanos);
                queue.add(alarm);
                arm();
                return;
            }
        } finally {
            lock.unlock();
        }
        end(alarm, End.CLOSED);
    }

    boolean end(Alarm alarm, End end) {
        lock.lock();
        try {
            if (!alarm.end()) {
                return false;
            }
            queue.remove(alarm);
            count--;
        } finally {
            lock.unlock();
        }
        alarm.notify(end);
        return true;
    }

    /** The number of alarms that have not ended. */
    public int size() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes them all: no event comes any more, except for those that are being offered at this moment. Idempotent;
     * does not block.
     */
    @Override
    public void close() {
        List<Alarm> pending;
        lock.lock();
        try {
            closed = true;
            pending = List.copyOf(queue);
        } finally {
            lock.unlock();
        }
        pending.forEach(alarm -> end(alarm, End.CLOSED));
    }
}
