package io.taskmaster.stage.local.credit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.taskmaster.client.Timer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of {@link Credits} with a FIFO line of threads that wait for some. Thread-safe. Lock-free as long as no thread
 * waits.
 *
 * <p>Fairness: credits go to the first waiter in line, and a newcomer gets none while there is a waiter, even if there
 * are credits enough for it. A first waiter that needs many credits therefore holds up smaller ones behind it, and
 * cannot starve.
 *
 * <p>Wake-ups are handed down the line. Returned credits wake the first waiter, if they suffice for it. When it leaves
 * the line, it wakes the next one if the rest suffices for that.
 *
 * <p>A worker of a stage that waits here may <i>help</i>: it does a turn of the work of this stage, which may free
 * credits. It steps aside meanwhile: the line is treated as if the waiter were not in it, and it keeps its place for
 * the time when it is back. After a turn that found nothing to do it sleeps for 1 ms at most before it tries again.
 *
 * <p>No wake-up is lost. A first waiter that goes to sleep sets {@code isFirstParked} and then reads the credits; a
 * thread that returns credits does so first and reads {@code isFirstParked} after that. Both are volatile accesses, so
 * at least one of the two sees the other. All changes of the line and of its waiters are made under the lock.
 *
 * <p>Closing works in the same way: a thread that enters has its credits before it reads {@code closed}, and
 * {@link #close} sets that before the credits are counted. Once it is set and no credits are taken, no thread is still
 * entering.
 */
public final class FairCredits {

    /** The result of an attempt to get credits. */
    public enum Entry {
        IN,
        FULL,
        CLOSED
    }

    /** The time for which a waiter that may help sleeps before it tries to help again. */
    private static final long HELP_INTERVAL_NANOS = 1_000_000;

    /**
     * A thread in line. Guarded by the lock of the {@link FairCredits}.
     *
     * <pre>{@code
     * state   | event                              | next state | effect
     * WAITING | first in line, and credits suffice | gone       | has its credits: IN, or CLOSED if closed meanwhile
     * WAITING | closed, or its time is over        | gone       | CLOSED or FULL
     * WAITING | may help                           | ASIDE      | the line goes on without it while it does a turn
     * WAITING | cannot help, or found no work      | ASLEEP     | the credits are read once more first
     * ASIDE   | its turn has ended                 | WAITING    |
     * ASLEEP  | signal, timeout, close             | WAITING    |
     * ASLEEP  | interrupt                          | gone       | InterruptedException
     * }</pre>
     */
    private static final class Waiter {

        final long cost;
        final Condition admitted;
        boolean isHelping;

        /** True while its thread has to be signalled, and was not yet. */
        boolean isParked;

        Waiter(long cost, Condition admitted) {
            this.cost = cost;
            this.admitted = admitted;
        }

        void wake() {
            isParked = false;
            admitted.signal();
        }
    }

    private final Credits credits;
    private final Timer timer;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<Waiter> queue = new ArrayDeque<>();

    /** True if a thread that returns credits has to wake the first waiter, if they suffice for it. */
    private volatile boolean isFirstParked;

    private volatile boolean closed;

    public FairCredits(long capacity, Timer timer) {
        this.credits = new Credits(capacity);
        this.timer = timer;
    }

    public long capacity() {
        return credits.capacity();
    }

    public long taken() {
        return credits.taken();
    }

    /** The number of threads in line. */
    int waiting() {
        return waiting.get();
    }

    public boolean isClosed() {
        return closed;
    }

    /** Takes credits if they are free and no thread is in line. Does not block. */
    public Entry enter(long cost) {
        // A waiter keeps newcomers out whatever is free, so that none of them passes the line.
        if (waiting.get() > 0 || !credits.tryClaim(cost)) {
            return closed ? Entry.CLOSED : Entry.FULL;
        }
        return confirm(cost);
    }

    /**
     * Returns the credits if {@link #close} was called meanwhile. A thread that enters takes its credits before it
     * reads {@code closed}; a drain sets {@code closed} before it counts credits.
     */
    private Entry confirm(long cost) {
        if (closed) {
            leave(cost);
            return Entry.CLOSED;
        }
        return Entry.IN;
    }

    /**
     * Takes credits as soon as they are free and all earlier waiters have theirs. Blocks.
     *
     * @param maxNanos the longest wait
     * @param help does other work meanwhile that may free credits, and returns false if there was none; null if the
     *     caller cannot help
     */
    public Entry await(long cost, long maxNanos, @Nullable BooleanSupplier help) throws InterruptedException {
        long deadlineNanos = timer.nanoTime() + maxNanos;
        Waiter waiter = join(cost);
        try {
            boolean isIdle = help == null;
            for (; ; ) {
                if (tryEnter(waiter)) {
                    return confirm(cost);
                }
                long remainingNanos = deadlineNanos - timer.nanoTime();
                if (closed || remainingNanos <= 0) {
                    return closed ? Entry.CLOSED : Entry.FULL;
                }
                if (isIdle) {
                    pause(waiter, help == null ? remainingNanos : Math.min(remainingNanos, HELP_INTERVAL_NANOS));
                    isIdle = help == null;
                } else {
                    isIdle = !helpMeanwhile(waiter, help);
                }
            }
        } finally {
            leaveQueue(waiter);
        }
    }

    private Waiter join(long cost) {
        lock.lock();
        try {
            Waiter waiter = new Waiter(cost, lock.newCondition());
            queue.addLast(waiter);
            waiting.incrementAndGet();
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    private boolean tryEnter(Waiter waiter) {
        lock.lock();
        try {
            return waiter.equals(first()) && credits.tryClaim(waiter.cost);
        } finally {
            lock.unlock();
        }
    }

    private boolean helpMeanwhile(Waiter waiter, @Nullable BooleanSupplier help) {
        setHelping(waiter, true);
        try {
            return help != null && help.getAsBoolean();
        } finally {
            setHelping(waiter, false);
        }
    }

    private void setHelping(Waiter waiter, boolean isHelping) {
        lock.lock();
        try {
            waiter.isHelping = isHelping;
            signalFirst();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // The loop of the caller checks the condition.
    private void pause(Waiter waiter, long maxNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            waiter.isParked = true;
            // Returned credits are either seen here, which clears isParked, or their thread sees isFirstParked and
            // waits for the lock.
            signalFirst();
            if (waiter.isParked && !closed) {
                waiter.admitted.awaitNanos(maxNanos);
            }
        } finally {
            waiter.isParked = false;
            lock.unlock();
        }
    }

    private void leaveQueue(Waiter waiter) {
        lock.lock();
        try {
            queue.remove(waiter);
            waiting.decrementAndGet();
            signalFirst();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private @Nullable Waiter first() {
        for (Waiter waiter : queue) {
            if (!waiter.isHelping) {
                return waiter;
            }
        }
        return null;
    }

    /**
     * Wakes the first waiter if the credits suffice for it. It sets {@link #isFirstParked} before it reads the credits;
     * a thread that returns credits does the opposite.
     */
    @GuardedBy("lock")
    private void signalFirst() {
        Waiter first = first();
        if (first == null || !first.isParked) {
            isFirstParked = false;
            return;
        }
        isFirstParked = true;
        if (isFree(first.cost)) {
            first.wake();
            isFirstParked = false;
        }
    }

    private boolean isFree(long cost) {
        return credits.taken() + cost <= credits.capacity();
    }

    /** Returns credits, and wakes the first waiter if they suffice for it. Takes the lock only if that one sleeps. */
    public void leave(long cost) {
        credits.release(cost);
        if (isFirstParked) {
            lock.lock();
            try {
                signalFirst();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Closes it: no thread gets credits from now on, and all waiters return. Idempotent. */
    public void close() {
        // The flag is set before the lock is taken: a waiter that takes the lock later reads it before it sleeps, and
        // one that sleeps already is woken.
        closed = true;
        lock.lock();
        try {
            queue.forEach(Waiter::wake);
            isFirstParked = false;
        } finally {
            lock.unlock();
        }
    }
}
