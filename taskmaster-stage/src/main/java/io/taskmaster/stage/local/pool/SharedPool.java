package io.taskmaster.stage.local.pool;

import io.taskmaster.client.Timer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A pool whose threads are for workers of local stages alone. Lock-free if the executor is; thread-safe.
 *
 * <p>Workers get threads in the order in which they ask. The executor alone does not guarantee that: a fork-join pool
 * runs the tasks that its own threads submit before those of others, for ever if they never end.
 *
 * <p>One thread is reserved for others: while workers of other stages wait, a stage that has all threads but one gets
 * no more. A worker that is passed over for that goes to the end of the line
 * (docs/adr/0018-fairness-within-a-worker.md).
 */
public final class SharedPool implements Threads {

    private final Executor pool;
    private final Timer timer;
    private final Watchdog watchdog;

    /** The most threads of one stage while workers of others wait. */
    private final int maxPerPool;

    /**
     * The workers that wait for a thread. For each of them a task is in the executor, which takes one worker, not
     * necessarily the same one.
     */
    private final Queue<Worker> queue = new ConcurrentLinkedQueue<>();

    /** @param threads the number of threads of the pool */
    public SharedPool(Executor pool, int threads, Timer timer) {
        this.pool = pool;
        this.timer = timer;
        this.watchdog = new Watchdog(threads, timer);
        this.maxPerPool = Math.max(1, threads - 1);
    }

    @Override
    public void start(Worker worker) {
        queue.add(worker);
        try {
            pool.execute(this::runNext);
        } catch (RejectedExecutionException ended) {
            // A task of another worker may have taken this one. Then that other worker has no task left and is refused
            // instead.
            Worker rejected = queue.remove(worker) ? worker : queue.poll();
            if (rejected != null) {
                rejected.refused();
            }
        }
    }

    private void runNext() {
        Worker next = next();
        if (next == null) {
            return;
        }
        Watchdog.Watch watch = watchdog.begin(next);
        try {
            next.run();
        } finally {
            watchdog.end(watch);
            next.leaveThread();
        }
    }

    /**
     * Takes the first worker whose stage may have one more thread, or the first of all if there is none such. Counts
     * the thread for its stage.
     */
    private @Nullable Worker next() {
        Worker first = queue.poll();
        if (first == null || first.tryTakeThread(maxPerPool)) {
            return first;
        }
        // The bound is the length at the start: every worker is passed over once at most, even if others join
        // meanwhile.
        for (int others = queue.size(); others > 0; others--) {
            queue.add(first);
            first = queue.poll();
            if (first == null || first.tryTakeThread(maxPerPool)) {
                return first;
            }
        }
        // No worker of another stage waits, so the bound would only leave the thread idle.
        first.tryTakeThread(Integer.MAX_VALUE);
        return first;
    }

    @Override
    public boolean hasWaiting() {
        return !queue.isEmpty();
    }

    @Override
    public long nanoTime() {
        return timer.nanoTime();
    }
}
