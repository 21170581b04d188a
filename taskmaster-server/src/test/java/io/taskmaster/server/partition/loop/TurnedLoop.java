package io.taskmaster.server.partition.loop;

import static java.util.Objects.requireNonNull;

import io.taskmaster.time.Deadlines;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A loop that a test runs step by step, with a clock of its own and the timers of the real loop. */
public final class TurnedLoop implements PartitionLoop {

    /** A limit on the number of runs that no correct test reaches. */
    private static final int MAX_RUNS = 1_000_000;

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final Timers timers = new Timers();
    private @Nullable ArrayDeque<Runnable> offloaded;
    private long nowMillis = 1_000_000;
    private long nanos;
    private long ticks;

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public long nowMillis() {
        return nowMillis;
    }

    @Override
    public void schedule(long delayMillis, Runnable task) {
        timers.add(nanos, delayMillis, task);
    }

    @Override
    public void offload(Runnable task) {
        (offloaded == null ? tasks : offloaded).add(task);
    }

    /** Queues a computation, with the offloaded tasks if those are held. */
    @Override
    public void compute(Runnable work) {
        (offloaded == null ? tasks : offloaded).add(work);
    }

    /** Holds offloaded tasks from now on. */
    public void holdOffloaded() {
        offloaded = new ArrayDeque<>();
    }

    public void releaseOffloaded() {
        if (offloaded != null) {
            tasks.addAll(offloaded);
            offloaded = null;
        }
    }

    /** Runs the next task that can run; returns false if there is none. */
    public boolean step() {
        Runnable next = tasks.poll();
        if (next != null) {
            run(next);
        }
        return next != null;
    }

    /** Runs all tasks that can run. */
    public void tick() {
        while (!tasks.isEmpty()) {
            run(tasks.remove());
        }
    }

    private void run(Runnable task) {
        ticks++;
        task.run();
    }

    /** The number of tasks and timers that have run. */
    public long ticks() {
        return ticks;
    }

    /** Advances the clock at once: timers that became due meanwhile run late. */
    public void jump(long millis) {
        elapse(Deadlines.nanos(millis));
        pass(0);
    }

    /** Lets time pass, and runs each timer when it is due. */
    public void pass(long millis) {
        long endNanos = nanos + Deadlines.nanos(millis);
        tick();
        int runs = 0;
        while (!timers.isEmpty() && timers.nanosUntilNext(nanos) <= endNanos - nanos) {
            elapse(Math.max(0, timers.nanosUntilNext(nanos)));
            run(requireNonNull(timers.takeDue(nanos)));
            tick();
            if (++runs > MAX_RUNS) {
                throw new AssertionError("timers: still going off after " + runs + " (expected: rest)");
            }
        }
        elapse(endNanos - nanos);
    }

    private void elapse(long passedNanos) {
        nanos += passedNanos;
        nowMillis += passedNanos / 1_000_000;
    }
}
