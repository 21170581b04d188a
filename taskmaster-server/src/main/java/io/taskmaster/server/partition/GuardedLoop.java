package io.taskmaster.server.partition;

import io.taskmaster.server.heap.OutOfMemory;
import java.util.function.Consumer;

/**
 * A partition's view of its loop: an unexpected exception of a task ends the partition, and not the loop, which others
 * share. A partition with a broken invariant must not serve; recovery starts from what is durable. Single-threaded:
 * owned by the loop.
 */
final class GuardedLoop implements PartitionLoop {

    private final PartitionLoop loop;
    private final Consumer<Throwable> broken;

    GuardedLoop(PartitionLoop loop, Consumer<Throwable> broken) {
        this.loop = loop;
        this.broken = broken;
    }

    @Override
    public long nowMillis() {
        return loop.nowMillis();
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(guarded(task));
    }

    @Override
    public void schedule(long delayMillis, Runnable task) {
        loop.schedule(delayMillis, guarded(task));
    }

    @Override
    public void executeBeside(Runnable task) {
        loop.executeBeside(guarded(task));
    }

    /** Offloads work; an exception of it is reported on the loop. */
    @Override
    public void compute(Runnable work) {
        loop.compute(() -> guard(work, invariant -> loop.execute(() -> broken.accept(invariant))));
    }

    /** Runs a task at once, guarded like all tasks of the loop. Returns false if it threw. */
    boolean run(Runnable task) {
        return guard(task, broken);
    }

    private Runnable guarded(Runnable task) {
        return () -> run(task);
    }

    /**
     * Runs a task. Errors are caught as well: a class that could not be loaded never will be, and the code that needs
     * it cannot continue.
     */
    private static boolean guard(Runnable task, Consumer<Throwable> broken) {
        try {
            task.run();
            return true;
        } catch (RuntimeException | Error invariant) {
            OutOfMemory.notice(invariant);
            broken.accept(invariant);
            return false;
        }
    }
}
