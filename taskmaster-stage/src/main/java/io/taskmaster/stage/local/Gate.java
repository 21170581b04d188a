package io.taskmaster.stage.local;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.client.ServiceClass;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission.Cause;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where events come in: whether there is room, and whether it is for them. Without a lock unless somebody waits for room. Thread-safe.
 *
 * <p>Who comes in has its credits first and looks whether the gate is closed after that; who closes it does the opposite. So once it is closed and
 * no credits are taken, nobody is on the way in. Whoever is refused because it is closed may have been the last, and looks whether it is over.
 */
final class Gate {

    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);

    /** Control events that may wait in one stage. */
    static final int MAX_CONTROLS = 1_024;

    /** How long somebody waits who can help, before it looks again whether there is something to help with. */
    private static final long PATIENCE_NANOS = 1_000_000;

    /** How long a control event waits for one of those places. */
    private static final Duration LONGEST_CONTROL_WAIT = Duration.ofSeconds(30);

    private final Timer timer;
    private final Lines lines;
    private final Credits credits;
    private final Credits controls = new Credits(MAX_CONTROLS);
    private final @Nullable AdmissionControl admission;
    private final boolean wantsWaits;
    private final boolean wantsAnswers;
    private final AtomicInteger waiters = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Condition room = lock.newCondition();

    private volatile boolean closed;

    Gate(Boundary<?> boundary, Lines lines, Timer timer) {
        this.timer = timer;
        this.lines = lines;
        this.credits = new Credits(boundary.capacity());
        this.admission =
                boundary.admission().map(rule -> rule.begin(timer.nanoTime())).orElse(null);
        this.wantsWaits = admission != null && admission.wantsWaits();
        this.wantsAnswers = admission != null && admission.wantsAnswers();
    }

    boolean wantsWaits() {
        return wantsWaits;
    }

    boolean wantsAnswers() {
        return wantsAnswers;
    }

    /** An event has waited; told only if somebody {@linkplain #wantsWaits wants} to know. */
    void waited(long sinceNanos) {
        long nowNanos = timer.nanoTime();
        tell(control -> control.waited(nowNanos - sinceNanos, nowNanos));
    }

    /** An event was handled; told only if somebody {@linkplain #wantsAnswers wants} to know. */
    void answered(ServiceClass serviceClass, long nanos, long nowNanos) {
        tell(control -> control.answered(serviceClass, nanos, nowNanos));
    }

    @SuppressWarnings("CatchingUnchecked") // Whatever a rule of the application's throws, the event is handled.
    private void tell(Consumer<AdmissionControl> what) {
        if (admission != null) {
            try {
                what.accept(admission);
            } catch (Throwable e) {
                LOG.error("an admission rule failed; it is the stage's own", e);
            }
        }
    }

    /** Takes credits for an event. Null: it has them. */
    @Nullable
    Cause enter(int cost, ServiceClass serviceClass) {
        if (cost > credits.capacity()) {
            return Cause.TOO_LARGE;
        }
        if (admission != null && !admission.admits(candidate(cost, serviceClass))) {
            return closed ? Cause.CLOSED : Cause.NOT_ADMITTED;
        }
        return claim(credits, cost);
    }

    private Candidate candidate(int cost, ServiceClass serviceClass) {
        return new Candidate(
                cost, serviceClass, credits.taken(), lines.size(serviceClass), credits.capacity(), timer.nanoTime());
    }

    /** Takes credits that are free, whatever the admission rule says; for an event that it has let in already. */
    @Nullable
    Cause enterAgain(int cost) {
        return claim(credits, cost);
    }

    /**
     * Takes credits as soon as they are free.
     *
     * @param help does something that may free some; false if there was nothing to do
     */
    @Nullable
    Cause enterInTime(int cost, Duration max, BooleanSupplier help) {
        try {
            return await(credits, cost, max, help);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Cause.INTERRUPTED;
        }
    }

    /**
     * Takes a credit for a control event, as soon as there is one. False if the gate is closed.
     *
     * @throws IllegalStateException if there was none for too long: nobody handles them
     */
    boolean enterFirst(BooleanSupplier help) throws InterruptedException {
        Cause cause = await(controls, 1, LONGEST_CONTROL_WAIT, help);
        if (cause == Cause.FULL) {
            throw new IllegalStateException("control events: %d wait, for %s now (expected: that they are handled)"
                    .formatted(MAX_CONTROLS, LONGEST_CONTROL_WAIT));
        }
        return cause == null;
    }

    private @Nullable Cause claim(Credits from, int cost) {
        if (!from.tryClaim(cost)) {
            return closed ? Cause.CLOSED : Cause.FULL;
        }
        if (closed) {
            from.giveBack(cost);
            return Cause.CLOSED;
        }
        return null;
    }

    private @Nullable Cause await(Credits from, int cost, Duration max, BooleanSupplier help)
            throws InterruptedException {
        long deadlineNanos = timer.nanoTime() + max.toNanos();
        boolean canHelp = Crew.isAtWork();
        waiters.incrementAndGet();
        try {
            for (; ; ) {
                Cause cause = claim(from, cost);
                long leftNanos = deadlineNanos - timer.nanoTime();
                if (cause != Cause.FULL || leftNanos <= 0) {
                    return cause;
                }
                if (!canHelp || !help.getAsBoolean()) {
                    awaitChange(from, cost, canHelp ? Math.min(leftNanos, PATIENCE_NANOS) : leftNanos);
                }
            }
        } finally {
            waiters.decrementAndGet();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // The caller's loop looks again.
    private void awaitChange(Credits from, int cost, long maxNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            // Who gives back after this look has to wait for the lock before it signals.
            if (from.taken() + cost > from.capacity() && !closed) {
                long _ = room.awaitNanos(maxNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    void leave(int cost) {
        credits.giveBack(cost);
        signal();
    }

    void leaveFirst() {
        controls.giveBack(1);
        signal();
    }

    void close() {
        closed = true;
        signal();
    }

    boolean isClosed() {
        return closed;
    }

    /** How many credits an event would lack. */
    long lacking(int cost) {
        return credits.taken() + cost - credits.capacity();
    }

    /** Whether nobody comes in any more, and all have left. */
    boolean isOver() {
        return closed && credits.taken() == 0 && controls.taken() == 0;
    }

    long taken() {
        return credits.taken();
    }

    private void signal() {
        if (waiters.get() > 0) {
            lock.lock();
            try {
                room.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
