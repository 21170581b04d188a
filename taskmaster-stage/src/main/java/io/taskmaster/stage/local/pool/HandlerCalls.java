package io.taskmaster.stage.local.pool;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Two counts: workers that were called and have no thread yet, and threads that were asked for and have not come yet.
 * There are never fewer threads than workers, and more if helpers have taken places. Both counts share one number, so
 * that they are compared as of one moment. Lock-free; thread-safe.
 */
final class HandlerCalls {

    private static final int CALLED = 32;
    private static final long ASKED = (1L << CALLED) - 1;

    private final AtomicLong both = new AtomicLong();

    /** Counts a worker that is called. Returns true if the caller has to ask for a thread. */
    boolean call() {
        for (; ; ) {
            long now = both.get();
            long called = (now >>> CALLED) + 1;
            long asked = now & ASKED;
            boolean asks = asked < called;
            if (both.compareAndSet(now, both(called, asks ? asked + 1 : asked))) {
                return asks;
            }
        }
    }

    /** Counts a thread that has come, or that never will. Returns false if no worker is called any more. */
    boolean come() {
        for (; ; ) {
            long now = both.get();
            long called = now >>> CALLED;
            if (both.compareAndSet(now, both(Math.max(0, called - 1), (now & ASKED) - 1))) {
                return called > 0;
            }
        }
    }

    /** Takes the place of a worker that is called. Returns false if there is none. */
    boolean take() {
        for (; ; ) {
            long now = both.get();
            long called = now >>> CALLED;
            if (called == 0) {
                return false;
            }
            if (both.compareAndSet(now, both(called - 1, now & ASKED))) {
                return true;
            }
        }
    }

    private static long both(long called, long asked) {
        return called << CALLED | asked;
    }
}
