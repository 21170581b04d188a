package io.taskmaster.stage.local;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The workers of one stage: threads of a pool that it shares with others. A worker has one of so many places from before it is called until it
 * leaves; it takes events as long as there are any, and makes way after so many turns or so much time, unless nobody waits for its thread.
 *
 * <p>Whoever waits for room in the stage may {@linkplain #help help}: it takes a free place, or the place of a worker that was called and has
 * no thread yet. So stages that wait for each other's room go on although all threads of the pool wait, unless they wait in a circle.
 *
 * <p>No event is left lying: its producer calls a worker after it is in line, unless all places are taken; who leaves a place looks at the line
 * after that. While it is paused there are no places; who resumes it looks at the line after that. Lock-free; thread-safe.
 */
final class Crew {

    /** What the workers of a stage do. */
    interface Work {

        /** Takes some events and handles them. False if there are none. Throws nothing. */
        boolean turn();

        boolean isThereAny();

        /** A worker has left, and there is nothing to do. */
        void ended();

        /** A worker is in one turn for long, on a thread that others may need, and this is where it is. */
        void isSlow(StackTraceElement[] where);

        /** There are no threads any more for those that are called. */
        void deserted();
    }

    /** A worker has so many before it makes way for another that waits. */
    static final int TURNS = 256;

    /** It has so much time before it does, and the rest of a turn. */
    static final Duration STAY = Duration.ofMillis(1);

    /** Whether a thread is at work for some stage. */
    private static final ThreadLocal<Boolean> AT_WORK = ThreadLocal.withInitial(() -> false);

    private final Threads threads;
    private final Work work;
    private final AtomicInteger taken = new AtomicInteger();

    /** Threads that it has of a pool that is shared. */
    private final AtomicInteger threadsTaken = new AtomicInteger();

    private final Calls calls = new Calls();

    /** Below 0: it is paused, and so many once it is resumed. In one number with that, so that a worker which looks for a place looks at nothing else. */
    private final AtomicInteger places;

    Crew(Threads threads, int places, Work work) {
        this.threads = threads;
        this.places = new AtomicInteger(places);
        this.work = work;
    }

    void places(int count) {
        change(now -> now < 0 ? -count : count);
    }

    /** Nobody takes a place, and whoever has one leaves after its turn; those that are called leave when they come. */
    void pause() {
        change(now -> -Math.abs(now));
    }

    void resume() {
        change(Math::abs);
    }

    private void change(IntUnaryOperator change) {
        int before = places.getAndUpdate(change);
        int more = change.applyAsInt(before) - Math.max(0, before);
        for (int i = 0; i < more && work.isThereAny(); i++) {
            call();
        }
    }

    /** How many there are, but for a pause. */
    int places() {
        return Math.abs(places.get());
    }

    boolean isPaused() {
        return places.get() < 0;
    }

    /** How many are at work, or are going to be. */
    int size() {
        return taken.get();
    }

    /** Calls a worker, if there is a place. */
    void call() {
        if (!takePlace()) {
            return;
        }
        if (!calls.call()) {
            // A thread is on its way that comes for nobody, since somebody helped.
            return;
        }
        threads.ask(new Call());
    }

    /** A thread is asked for; it comes for whichever worker was called, if somebody helped in the place of this one. */
    private final class Call implements Threads.Worker {

        /** Written by its thread alone. */
        private final AtomicInteger turns = new AtomicInteger();

        @Override
        public void run() {
            if (calls.come()) {
                work(TURNS, this);
            }
        }

        @Override
        public void refused() {
            if (calls.come()) {
                taken.decrementAndGet();
                work.deserted();
            }
        }

        @Override
        public boolean takeThread(int most) {
            return threadsTaken.getAndUpdate(now -> now < most ? now + 1 : now) < most;
        }

        @Override
        public void leaveThread() {
            threadsTaken.decrementAndGet();
        }

        @Override
        public int turns() {
            return turns.getAcquire();
        }

        @Override
        public void isSlow(StackTraceElement[] where) {
            work.isSlow(where);
        }

        private void turned() {
            turns.setRelease(turns.getPlain() + 1);
        }
    }

    /** Whether the thread that asks works for a stage, so that it must not just wait for one. */
    static boolean isAtWork() {
        return AT_WORK.get();
    }

    /** Does a turn on the caller's thread. False if there was nothing to do, or no place, as while it is paused. */
    boolean help() {
        return (calls.take() || takePlace()) && work(1, null);
    }

    /**
     * Does so many turns, as far as there is something to do; on a worker's own thread, as many as nobody else wants that for.
     *
     * @param own the call that got its thread, so that an interrupt can only be meant for the handler that has met it; null: the thread is somebody's who helps
     * @return whether there was something
     */
    private boolean work(int turns, @Nullable Call own) {
        boolean before = AT_WORK.get();
        AT_WORK.set(true);
        boolean any = false;
        int left = turns;
        long beganNanos = own == null ? 0 : threads.nanoTime();
        try {
            while (left > 0 && taken.get() <= places.get() && work.turn()) {
                any = true;
                left--;
                if (own != null) {
                    own.turned();
                    boolean _ = Thread.interrupted();
                    left = isOver(left, beganNanos) ? 0 : Math.max(1, left);
                }
            }
        } finally {
            AT_WORK.set(before);
            leave();
        }
        return any;
    }

    /** Whether a worker makes way. */
    private boolean isOver(int turnsLeft, long beganNanos) {
        return threads.areWanted() && (turnsLeft <= 0 || threads.nanoTime() - beganNanos >= STAY.toNanos());
    }

    private void leave() {
        taken.decrementAndGet();
        if (work.isThereAny()) {
            call();
        } else {
            work.ended();
        }
    }

    private boolean takePlace() {
        for (int count = taken.get(); count < places.get(); count = taken.get()) {
            if (taken.compareAndSet(count, count + 1)) {
                return true;
            }
        }
        return false;
    }
}
