package io.taskmaster.stage.local;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * A pool for workers alone. They get threads in the order in which they ask, whatever order the pool has: a fork-join pool runs what its own threads ask for before what
 * others do, for ever if it never ends. Lock-free if the pool is; thread-safe.
 */
final class SharedPool implements Threads {

    private record Asked(Runnable worker, Runnable refused) {}

    private final Executor pool;

    /** For each of them a thread is on its way, which takes whoever is first. */
    private final Queue<Asked> line = new ConcurrentLinkedQueue<>();

    SharedPool(Executor pool) {
        this.pool = pool;
    }

    @Override
    public void ask(Runnable worker, Runnable refused) {
        Asked mine = new Asked(worker, refused);
        line.add(mine);
        try {
            pool.execute(this::runFirst);
        } catch (RejectedExecutionException ended) {
            // A thread that came for another may have taken this one: then none comes for that one.
            Asked left = line.remove(mine) ? mine : line.poll();
            if (left != null) {
                left.refused.run();
            }
        }
    }

    private void runFirst() {
        Asked first = line.poll();
        if (first != null) {
            first.worker.run();
        }
    }

    @Override
    public boolean mayBeKept() {
        return line.isEmpty();
    }
}
