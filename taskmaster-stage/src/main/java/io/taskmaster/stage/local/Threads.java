package io.taskmaster.stage.local;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/** Threads that workers of stages run on. Thread-safe. */
interface Threads {

    /** A worker of a stage, for which a thread is asked once. */
    interface Worker {

        /** Works, on the thread that it got. */
        void run();

        /** There are no threads any more. */
        void refused();

        /** Counts one more thread for its stage, unless that has so many. */
        boolean takeThread(int most);

        /** Its stage has one thread less. */
        void leaveThread();

        /** How many turns it has done so far: one that stays the same for long is in a long turn. */
        int turns();

        /** It holds its thread for too long, and this is where it is. */
        void isSlow(StackTraceElement[] where);
    }

    /** Asks for a thread for a worker, which is refused at once if there are none any more. */
    void ask(Worker worker);

    /** Whether somebody may wait for the thread of a worker. */
    boolean areWanted();

    long nanoTime();

    /** Threads that are not for workers alone, so that nobody knows who waits for them. */
    static Threads of(Executor executor, LongSupplier nanoTime) {
        return new OfExecutor(executor, nanoTime, true);
    }

    /** A thread for each worker, as long as it likes. */
    static Threads unshared(Executor executor) {
        return new OfExecutor(executor, () -> 0, false);
    }

    /**
     * Those of an executor.
     *
     * @param areWanted whether others may wait for them
     */
    record OfExecutor(Executor executor, LongSupplier clock, boolean areWanted) implements Threads {

        @Override
        public void ask(Worker worker) {
            try {
                executor.execute(worker::run);
            } catch (RejectedExecutionException ended) {
                worker.refused();
            }
        }

        @Override
        public long nanoTime() {
            return clock.getAsLong();
        }
    }
}
