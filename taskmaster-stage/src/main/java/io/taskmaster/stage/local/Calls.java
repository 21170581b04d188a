package io.taskmaster.stage.local;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Workers that were called and have no thread yet, and threads that were asked for and have not come yet: never fewer than are called, more if
 * somebody helped. Both are in one number, since who compares them has to see them at one moment. Lock-free; thread-safe.
 */
final class Calls {

    private static final int CALLED = 32;
    private static final long ASKED = (1L << CALLED) - 1;

    private final AtomicLong both = new AtomicLong();

    /** Calls a worker. True: the caller has to ask for a thread. */
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

    /** A thread that was asked for has come, or is not going to. False: nobody is called any more. */
    boolean come() {
        for (; ; ) {
            long now = both.get();
            long called = now >>> CALLED;
            if (both.compareAndSet(now, both(Math.max(0, called - 1), (now & ASKED) - 1))) {
                return called > 0;
            }
        }
    }

    /** Takes the place of one that is called. False: there is none. */
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
