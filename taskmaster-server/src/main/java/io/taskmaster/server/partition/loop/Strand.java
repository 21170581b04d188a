package io.taskmaster.server.partition.loop;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

/**
 * The serial queue of one partition on a loop that it shares with others. A long task is offloaded: it runs on another
 * thread, and meanwhile nothing else of the partition runs, so it may touch all state of the partition without a lock.
 * The other partitions of the loop go on (ADR 9). Owned by the loop, except for {@link #execute}, {@link #schedule},
 * {@link #offload} and {@link #compute}, which are thread-safe.
 *
 * <pre>{@code
 * state   | event                                  | next state | effect
 * --------+----------------------------------------+------------+------------------------------------------------
 * on loop | a task, nothing queued                 | on loop    | the task runs
 * on loop | a task to be offloaded, nothing queued | away       | the task runs on another thread
 * away    | a task                                 | away       | queued
 * away    | the offloaded task is done             | draining   | through the loop's mailbox
 * draining| a task                                 | draining   | queued, behind the others
 * draining| next loop tick, a queued task          | draining   | it runs; if it is to be offloaded: away
 * draining| next loop tick, nothing queued         | on loop    |
 * }</pre>
 *
 * <p>The partition moves between threads only by way of the loop's mailbox and the executor's queue, which order memory
 * accesses.
 */
public final class Strand implements PartitionLoop {

    private final PartitionLoop loop;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean offloaded;

    public Strand(PartitionLoop loop) {
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
    public void offload(Runnable task) {
        // By way of the mailbox, also from the loop: the current task of the partition has to end before another thread
        // may touch its state.
        execute(() -> runOffloaded(task));
    }

    @Override
    public void compute(Runnable work) {
        loop.compute(work);
    }

    /**
     * Runs a task at once, on the loop; or, while an offloaded task is running or tasks are queued, in the order of
     * arrival.
     */
    public void run(Runnable task) {
        if (offloaded || !waiting.isEmpty()) {
            waiting.add(task);
        } else {
            task.run();
        }
    }

    private void runOffloaded(Runnable task) {
        Runnable work = () -> {
            try {
                task.run();
            } finally {
                // Also if the task threw: the partition would be away for ever otherwise.
                loop.execute(this::onOffloadedDone);
            }
        };
        offloaded = true;
        try {
            loop.offload(work);
        } catch (RejectedExecutionException closing) {
            // The node is closing. The task runs here all the same, since its requests need an outcome.
            work.run();
        }
    }

    private void onOffloadedDone() {
        offloaded = false;
        runNext();
    }

    /** Runs the queued tasks in order, one per loop tick, as if they had just arrived. */
    private void runNext() {
        Runnable next = offloaded ? null : waiting.poll();
        if (next != null) {
            // Before the task runs: it may throw, and the tasks behind it must run all the same.
            loop.execute(this::runNext);
            next.run();
        }
    }
}
