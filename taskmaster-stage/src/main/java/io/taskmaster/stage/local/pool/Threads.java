package io.taskmaster.stage.local.pool;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/** Threads on which workers of stages run. Thread-safe. */
public interface Threads {

    /** A worker of a stage. A thread is asked for once. */
    interface Worker {

        /** Works, on the thread that it got. */
        void run();

        /** Called when there are no more threads. */
        void refused();

        /**
         * Counts one more thread for its stage, unless that has {@code max} already. Returns whether it was counted.
         */
        boolean tryTakeThread(int max);

        /** Counts one thread less for its stage. */
        void leaveThread();

        /** The number of turns so far. If it stays the same for long, the worker is in a long turn. */
        int turns();

        /**
         * Called when the worker holds its thread for too long.
         *
         * @param stackTrace the stack of that thread
         */
        void isSlow(StackTraceElement[] stackTrace);
    }

    /** Asks for a thread for a worker. The worker is refused at once if there are no more threads. */
    void start(Worker worker);

    /** Returns whether another worker may be waiting for a thread. */
    boolean hasWaiting();

    long nanoTime();

    /**
     * Returns threads of an executor that also has other users. Whether others wait for them is unknown, so it is
     * assumed.
     */
    static Threads of(Executor executor, LongSupplier nanoTime) {
        return new OfExecutor(executor, nanoTime, true);
    }

    /** Returns threads of which every worker has one of its own, for as long as it likes. */
    static Threads dedicated(Executor executor) {
        return new OfExecutor(executor, () -> 0, false);
    }

    /**
     * The threads of an executor.
     *
     * @param hasWaiting whether others may be waiting for them
     */
    record OfExecutor(Executor executor, LongSupplier clock, boolean hasWaiting) implements Threads {

        @Override
        public void start(Worker worker) {
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
