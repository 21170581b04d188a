package io.taskmaster.server.partition;

import io.taskmaster.server.heap.OutOfMemory;
import java.util.function.Consumer;

/**
 * A partition's view of its loop: whatever fails unexpectedly in it ends the partition, and not the loop, which others share. A
 * broken invariant must not be served on; recovery starts from what is durable. Single-threaded: owned by the loop.
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

    /** What does not hold there is told on the loop. */
    @Override
    public void compute(Runnable work) {
        loop.compute(() -> guard(work, invariant -> loop.execute(() -> broken.accept(invariant))));
    }

    /** Here and now, guarded as all is that runs on the loop; false if the task broke. */
    boolean run(Runnable task) {
        return guard(task, broken);
    }

    private Runnable guarded(Runnable task) {
        return () -> run(task);
    }

    /** Of errors, too: a class that could not be loaded stays so, and whoever needs it can go no further. */
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
