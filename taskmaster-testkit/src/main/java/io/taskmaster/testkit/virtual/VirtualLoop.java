package io.taskmaster.testkit.virtual;

import io.taskmaster.server.partition.loop.PartitionLoop;
import io.taskmaster.time.Deadlines;
import java.util.ArrayDeque;
import java.util.Queue;

/** A partition's loop in virtual time: it runs its mailbox in order. Single-threaded: owned by the test. */
final class VirtualLoop implements PartitionLoop {

    private final VirtualTime time;
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    VirtualLoop(VirtualTime time) {
        this.time = time;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        // Events of one instant run in random order. Each runs the oldest task, so the loop keeps its order.
        time.soon(() -> tasks.remove().run());
    }

    @Override
    public long nowMillis() {
        return time.millis();
    }

    @Override
    public void schedule(long delayMillis, Runnable task) {
        time.schedule(() -> execute(task), Deadlines.nanos(delayMillis));
    }

    /** Runs a task off the loop. There is only one thread, but other events may come in between. */
    @Override
    public void offload(Runnable task) {
        time.soon(task);
    }

    /** Runs work off the loop, likewise. */
    @Override
    public void compute(Runnable work) {
        time.soon(work);
    }
}
