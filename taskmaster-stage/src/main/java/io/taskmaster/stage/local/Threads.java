package io.taskmaster.stage.local;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Threads that workers of stages run on. Thread-safe. */
interface Threads {

    /**
     * Asks for a thread for a worker.
     *
     * @param refused called at once in its stead if there are no threads any more
     */
    void ask(Runnable worker, Runnable refused);

    /** Whether a worker may keep its thread for longer because nobody waits for one; false if that cannot be known. */
    boolean mayBeKept();

    /** Threads that are not for workers alone, so that nobody knows who waits for them. */
    static Threads of(Executor executor) {
        return new Threads() {
            @Override
            public void ask(Runnable worker, Runnable refused) {
                try {
                    executor.execute(worker);
                } catch (RejectedExecutionException ended) {
                    refused.run();
                }
            }

            @Override
            public boolean mayBeKept() {
                return false;
            }
        };
    }
}
