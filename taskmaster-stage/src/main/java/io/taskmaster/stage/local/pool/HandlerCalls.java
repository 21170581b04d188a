package io.taskmaster.stage.local.pool;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Two counts: workers that were called and have no thread yet, and threads that were asked for and have not come yet.
 * There are never fewer threads than workers, and more if helpers have taken places. Both counts share one number, so
 * that they are compared as of one moment. Lock-free; thread-safe.
 */
final class HandlerCalls {

    private static final int CALLED_SHIFT = 32;
    private static final long STARTING_MASK = (1L << CALLED_SHIFT) - 1;

    private final AtomicLong state = new AtomicLong();

    /** Counts a worker that is called. Returns true if the caller has to ask for a thread. */
    boolean call() {
        for (; ; ) {
            long now = state.get();
            long called = (now >>> CALLED_SHIFT) + 1;
            long starting = now & STARTING_MASK;
            boolean startsNew = starting < called;
            if (state.compareAndSet(now, pack(called, startsNew ? starting + 1 : starting))) {
                return startsNew;
            }
        }
    }

    /** Counts a thread that has come, or that never will. Returns false if no worker is called any more. */
    boolean begin() {
        for (; ; ) {
            long now = state.get();
            long called = now >>> CALLED_SHIFT;
            if (state.compareAndSet(now, pack(Math.max(0, called - 1), (now & STARTING_MASK) - 1))) {
                return called > 0;
            }
        }
    }

    /** Takes the place of a worker that is called. Returns false if there is none. */
    boolean take() {
        for (; ; ) {
            long now = state.get();
            long called = now >>> CALLED_SHIFT;
            if (called == 0) {
                return false;
            }
            if (state.compareAndSet(now, pack(called - 1, now & STARTING_MASK))) {
                return true;
            }
        }
    }

    private static long pack(long called, long starting) {
        return called << CALLED_SHIFT | starting;
    }
}
