package io.taskmaster.stage.local.pool;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The workers of one stage, on threads of a pool that it shares with others. Lock-free; thread-safe.
 *
 * <p>The crew has a number of <i>places</i>, which bounds its workers. A worker holds a place from before a thread is
 * asked for until it leaves. A <i>turn</i> is one call of {@link Work#handleNext}: one event, or one batch. A worker
 * does turns as long as there are events. It gives its thread up after {@link #MAX_TURNS} turns or after
 * {@link #MAX_STAY}, if another worker may be waiting for a thread (docs/adr/0018-fairness-within-a-worker.md).
 *
 * <p>A thread that waits for credits of the stage may {@linkplain #help help}: it takes a free place, or the place of a
 * worker that was called and has no thread yet. So stages that wait for each other's credits make progress even if all
 * threads of the pool wait, unless they wait in a circle.
 *
 * <pre>{@code
 * place   | event                            | next    | effect
 * FREE    | call()                           | CALLED  | a thread is asked for, unless one is spare
 * FREE    | help()                           | WORKING | one turn on the caller's thread
 * CALLED  | a thread comes                   | WORKING | turns
 * CALLED  | help()                           | WORKING | one turn by the caller; the thread that comes is spare
 * CALLED  | the pool refuses the thread      | FREE    | Work.deserted
 * WORKING | no events, out of turns, paused, | FREE    | calls a worker if there are events, else Work.ended
 *         | or too many places are taken     |         |
 * }</pre>
 *
 * <p>No event is left in line: its producer calls a worker after it is in line, unless all places are taken, and a
 * worker checks the line after it has left its place. While the crew is paused there are no places; {@link #resume}
 * makes them available before it checks the line.
 */
public final class WorkerPool {

    /** The work of a stage. Thread-safe. */
    public interface Work {

        /** Takes some events and handles them. Returns false if there are none. Throws nothing. */
        boolean handleNext();

        boolean hasWork();

        /** Called when a worker has left and there is nothing to do. */
        void ended();

        /**
         * Called when a worker spends long in one turn on a thread that others may need.
         *
         * @param stackTrace the stack of that thread
         */
        void isSlow(StackTraceElement[] stackTrace);

        /** Called when there are no more threads for workers that were called. */
        void onNoThread();
    }

    /** The number of turns after which a worker gives its thread up to another one that waits. */
    public static final int MAX_TURNS = 256;

    /** The time after which a worker gives its thread up to another one that waits, once its turn has ended. */
    public static final Duration MAX_STAY = Duration.ofMillis(1);

    /** True on a thread that is doing work of a stage. */
    private static final ThreadLocal<Boolean> AT_WORK = ThreadLocal.withInitial(() -> false);

    private final Threads threads;
    private final Work work;
    private final AtomicInteger active = new AtomicInteger();

    /** The number of threads of a shared pool that this crew holds. */
    private final AtomicInteger activeThreads = new AtomicInteger();

    private final HandlerCalls handlerCalls = new HandlerCalls();

    /**
     * The number of places; negated while the crew is paused. One number holds both, so that a worker which takes a
     * place reads nothing else.
     */
    private final AtomicInteger places;

    public WorkerPool(Threads threads, int places, Work work) {
        this.threads = threads;
        this.places = new AtomicInteger(places);
        this.work = work;
    }

    public void places(int count) {
        change(now -> now < 0 ? -count : count);
    }

    /**
     * Pauses the crew: no worker takes a place, and a worker that has one leaves after its turn. Workers that were
     * called leave when they get their thread.
     */
    public void pause() {
        change(now -> -Math.abs(now));
    }

    public void resume() {
        change(Math::abs);
    }

    private void change(IntUnaryOperator change) {
        // A paused crew has no places, so all that it gets back with a resume count as new ones.
        int before = places.getAndUpdate(change);
        int more = change.applyAsInt(before) - Math.max(0, before);
        for (int i = 0; i < more && work.hasWork(); i++) {
            call();
        }
    }

    /** The number of places, whether or not the crew is paused. */
    public int places() {
        return Math.abs(places.get());
    }

    public boolean isPaused() {
        return places.get() < 0;
    }

    /** The number of workers that are at work or were called. */
    public int size() {
        return active.get();
    }

    /** Calls a worker if there is a free place. */
    public void call() {
        if (!tryTakePlace()) {
            return;
        }
        if (!handlerCalls.call()) {
            // A thread is on its way whose worker's place was taken by a helper.
            return;
        }
        threads.start(new Call());
    }

    /**
     * A request for a thread. The thread serves any worker that was called, since a helper may have taken the place of
     * the one it was asked for.
     */
    private final class Call implements Threads.Worker {

        /** The number of turns; written by its own thread alone. */
        private final AtomicInteger turns = new AtomicInteger();

        @Override
        public void run() {
            if (handlerCalls.begin()) {
                work(MAX_TURNS, this);
            }
        }

        @Override
        public void refused() {
            if (handlerCalls.begin()) {
                active.decrementAndGet();
                work.onNoThread();
            }
        }

        @Override
        public boolean tryTakeThread(int max) {
            return activeThreads.getAndUpdate(now -> now < max ? now + 1 : now) < max;
        }

        @Override
        public void leaveThread() {
            activeThreads.decrementAndGet();
        }

        @Override
        public int turns() {
            return turns.getAcquire();
        }

        @Override
        public void isSlow(StackTraceElement[] stackTrace) {
            work.isSlow(stackTrace);
        }

        private void countTurn() {
            turns.setRelease(turns.getPlain() + 1);
        }
    }

    /** Returns whether the calling thread is doing work of a stage, and so must not simply block for another one. */
    public static boolean isAtWork() {
        return AT_WORK.get();
    }

    /**
     * Does a turn on the caller's thread. Returns false if there was nothing to do or no place, as while the crew is
     * paused.
     */
    public boolean help() {
        return (handlerCalls.take() || tryTakePlace()) && work(1, null);
    }

    /**
     * Does turns as long as there are events and a place for this worker. Leaves the place in the end.
     *
     * @param turns the number of turns, of which a worker on its own thread does more while no other worker wants that
     *     thread
     * @param worker the call that got this thread; null on the thread of a helper. An interrupt on an own thread can
     *     only be meant for the handler that has just returned, so it is cleared
     * @return whether there was an event
     */
    private boolean work(int turns, @Nullable Call worker) {
        // A helper may itself be a worker, of this stage or another one, and its mark has to survive this call.
        boolean before = AT_WORK.get();
        AT_WORK.set(true);
        boolean handled = false;
        int remaining = turns;
        long startNanos = worker == null ? 0 : threads.nanoTime();
        try {
            // The number of places is negative while the crew is paused, so the comparison also ends a worker then.
            while (remaining > 0 && active.get() <= places.get() && work.handleNext()) {
                handled = true;
                remaining--;
                if (worker != null) {
                    worker.countTurn();
                    Thread.interrupted();
                    // A worker that is out of turns goes on with one more, as long as no other worker wants the thread.
                    remaining = mustYield(remaining, startNanos) ? 0 : Math.max(1, remaining);
                }
            }
        } finally {
            AT_WORK.set(before);
            leave();
        }
        return handled;
    }

    /** Returns whether a worker has to give its thread up. */
    private boolean mustYield(int remainingTurns, long startNanos) {
        return threads.hasWaiting() && (remainingTurns <= 0 || threads.nanoTime() - startNanos >= MAX_STAY.toNanos());
    }

    private void leave() {
        active.decrementAndGet();
        if (work.hasWork()) {
            call();
        } else {
            work.ended();
        }
    }

    private boolean tryTakePlace() {
        for (int count = active.get(); count < places.get(); count = active.get()) {
            if (active.compareAndSet(count, count + 1)) {
                return true;
            }
        }
        return false;
    }
}
