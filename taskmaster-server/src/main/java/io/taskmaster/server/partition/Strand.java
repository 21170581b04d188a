package io.taskmaster.server.partition;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

/**
 * A partition's own line on a loop that it shares with others. What takes long leaves the loop: it runs on another thread, and while it does
 * nothing else of the partition runs, so that it may touch all that the partition has; the other partitions of the loop go on.
 * Owned by the loop, but for {@link #execute}, {@link #schedule}, {@link #executeBeside} and {@link #compute}, which are thread-safe.
 */
final class Strand implements PartitionLoop {

    private final PartitionLoop loop;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean away;

    Strand(PartitionLoop loop) {
        this.loop = loop;
    }

    @Override
    public long nowMillis() {
        return loop.nowMillis();
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(() -> run(task));
    }

    @Override
    public void schedule(long delayMillis, Runnable task) {
        loop.schedule(delayMillis, () -> run(task));
    }

    @Override
    public void executeBeside(Runnable task) {
        execute(() -> leave(task));
    }

    @Override
    public void compute(Runnable work) {
        loop.compute(work);
    }

    /** Runs it here and now, on the loop; or once who is away is back, and whoever waits for that already. */
    void run(Runnable task) {
        if (away || !waiting.isEmpty()) {
            waiting.add(task);
        } else {
            task.run();
        }
    }

    private void leave(Runnable task) {
        Runnable work = () -> {
            try {
                task.run();
            } finally {
                loop.execute(this::comeBack);
            }
        };
        away = true;
        try {
            loop.executeBeside(work);
        } catch (RejectedExecutionException closing) {
            work.run();
        }
    }

    private void comeBack() {
        away = false;
        goOn();
    }

    /** One after the other, a turn of the loop each, as they would have come. */
    private void goOn() {
        Runnable next = away ? null : waiting.poll();
        if (next != null) {
            loop.execute(this::goOn);
            next.run();
        }
    }
}
