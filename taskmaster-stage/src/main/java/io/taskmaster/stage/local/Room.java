package io.taskmaster.stage.local;

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
 * {@link Credits}, and those who wait for some: who came first goes on first, and nobody who comes later passes them. Without a lock unless somebody waits. Thread-safe.
 *
 * <p>Credits that are given back wake the first in line, if it can go on with what there is; and it, when it leaves the line, the next. Who would rather be of use than wait
 * steps aside meanwhile: others go on before it, as if it were not in line, and it has its old place when it is back.
 *
 * <p>No wake-up is lost: who goes to sleep first in line says so before it looks at the credits, who gives some back does the opposite.
 */
final class Room {

    /** How an attempt to get in ended. */
    enum Entry {
        IN,
        FULL,
        CLOSED
    }

    /** How long somebody waits who may be of use, before it looks again whether there is something to do. */
    private static final long PATIENCE_NANOS = 1_000_000;

    /** Who is in line. Guarded by the lock of the room. */
    private static final class Waiter {

        final long cost;
        final Condition turn;
        boolean isAside;

        /** It has to be woken, and nobody has done so yet. */
        boolean isAsleep;

        Waiter(long cost, Condition turn) {
            this.cost = cost;
            this.turn = turn;
        }

        void wake() {
            isAsleep = false;
            turn.signal();
        }
    }

    private final Credits credits;
    private final Timer timer;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<Waiter> line = new ArrayDeque<>();

    /** Whoever gives credits back has to wake the first in line. */
    private volatile boolean isFirstAsleep;

    private volatile boolean closed;

    Room(long capacity, Timer timer) {
        this.credits = new Credits(capacity);
        this.timer = timer;
    }

    long capacity() {
        return credits.capacity();
    }

    long taken() {
        return credits.taken();
    }

    /** How many are in line. */
    int waiting() {
        return waiting.get();
    }

    boolean isClosed() {
        return closed;
    }

    /** Takes so many credits if they are free and nobody waits for any. */
    Entry enter(long cost) {
        if (waiting.get() > 0 || !credits.tryClaim(cost)) {
            return closed ? Entry.CLOSED : Entry.FULL;
        }
        return unlessClosed(cost);
    }

    /** Who comes in has its credits first and looks whether it is closed after that; who closes it does the opposite. */
    private Entry unlessClosed(long cost) {
        if (closed) {
            leave(cost);
            return Entry.CLOSED;
        }
        return Entry.IN;
    }

    /**
     * Takes so many credits as soon as they are free and it is the caller's turn. Blocks.
     *
     * @param maxNanos how long it waits
     * @param help does something else meanwhile that may free some; false if there was nothing to do. Null: there never is
     */
    Entry await(long cost, long maxNanos, @Nullable BooleanSupplier help) throws InterruptedException {
        long deadlineNanos = timer.nanoTime() + maxNanos;
        Waiter me = join(cost);
        try {
            boolean isIdle = help == null;
            for (; ; ) {
                if (goesOn(me)) {
                    return unlessClosed(cost);
                }
                long leftNanos = deadlineNanos - timer.nanoTime();
                if (closed || leftNanos <= 0) {
                    return closed ? Entry.CLOSED : Entry.FULL;
                }
                if (isIdle) {
                    pause(me, help == null ? leftNanos : Math.min(leftNanos, PATIENCE_NANOS));
                    isIdle = help == null;
                } else {
                    isIdle = !stepAside(me, help);
                }
            }
        } finally {
            leaveLine(me);
        }
    }

    private Waiter join(long cost) {
        lock.lock();
        try {
            Waiter me = new Waiter(cost, lock.newCondition());
            line.addLast(me);
            waiting.incrementAndGet();
            return me;
        } finally {
            lock.unlock();
        }
    }

    private boolean goesOn(Waiter me) {
        lock.lock();
        try {
            return me.equals(first()) && credits.tryClaim(me.cost);
        } finally {
            lock.unlock();
        }
    }

    private boolean stepAside(Waiter me, @Nullable BooleanSupplier help) {
        setAside(me, true);
        try {
            return help != null && help.getAsBoolean();
        } finally {
            setAside(me, false);
        }
    }

    private void setAside(Waiter me, boolean isAside) {
        lock.lock();
        try {
            me.isAside = isAside;
            wakeFirst();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // The caller's loop looks again.
    private void pause(Waiter me, long maxNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            me.isAsleep = true;
            wakeFirst();
            if (me.isAsleep && !closed) {
                long _ = me.turn.awaitNanos(maxNanos);
            }
        } finally {
            me.isAsleep = false;
            lock.unlock();
        }
    }

    private void leaveLine(Waiter me) {
        lock.lock();
        try {
            boolean _ = line.remove(me);
            waiting.decrementAndGet();
            wakeFirst();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private @Nullable Waiter first() {
        for (Waiter waiter : line) {
            if (!waiter.isAside) {
                return waiter;
            }
        }
        return null;
    }

    /** Tells that somebody sleeps before it looks whether it has to; who gives credits back does the opposite. */
    @GuardedBy("lock")
    private void wakeFirst() {
        Waiter first = first();
        if (first == null || !first.isAsleep) {
            isFirstAsleep = false;
            return;
        }
        isFirstAsleep = true;
        if (isFree(first.cost)) {
            first.wake();
            isFirstAsleep = false;
        }
    }

    private boolean isFree(long cost) {
        return credits.taken() + cost <= credits.capacity();
    }

    /** Gives credits back. */
    void leave(long cost) {
        credits.giveBack(cost);
        if (isFirstAsleep) {
            lock.lock();
            try {
                wakeFirst();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Nobody gets in any more, and nobody waits. */
    void close() {
        closed = true;
        lock.lock();
        try {
            line.forEach(Waiter::wake);
            isFirstAsleep = false;
        } finally {
            lock.unlock();
        }
    }
}
