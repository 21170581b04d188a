package io.taskmaster.stage.local;

import io.taskmaster.client.Timer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A pool for workers alone. They get threads in the order in which they ask, whatever order the pool has: a fork-join pool runs what its own threads ask for before what
 * others do, for ever if it never ends. But one thread is for others: while workers of other stages wait, a stage that has all threads but one gets none. Lock-free if the
 * pool is; thread-safe.
 */
final class SharedPool implements Threads {

    private final Executor pool;
    private final Timer timer;
    private final Watchdog watchdog;

    /** How many threads a stage has while others wait. */
    private final int most;

    /** For each of them a thread is on its way, which takes one. */
    private final Queue<Worker> line = new ConcurrentLinkedQueue<>();

    /**
     * @param threads of the pool
     */
    SharedPool(Executor pool, int threads, Timer timer) {
        this.pool = pool;
        this.timer = timer;
        this.watchdog = new Watchdog(threads, timer);
        this.most = Math.max(1, threads - 1);
    }

    @Override
    public void ask(Worker worker) {
        line.add(worker);
        try {
            pool.execute(this::runNext);
        } catch (RejectedExecutionException ended) {
            // A thread that came for another may have taken this one: then none comes for that one.
            Worker left = line.remove(worker) ? worker : line.poll();
            if (left != null) {
                left.refused();
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

    /** The first whose stage may have one more thread; the first of all if none may. It has its thread. */
    private @Nullable Worker next() {
        Worker first = line.poll();
        if (first == null || first.takeThread(most)) {
            return first;
        }
        for (int others = line.size(); others > 0; others--) {
            line.add(first);
            first = line.poll();
            if (first == null || first.takeThread(most)) {
                return first;
            }
        }
        boolean _ = first.takeThread(Integer.MAX_VALUE);
        return first;
    }

    @Override
    public boolean areWanted() {
        return !line.isEmpty();
    }

    @Override
    public long nanoTime() {
        return timer.nanoTime();
    }
}
