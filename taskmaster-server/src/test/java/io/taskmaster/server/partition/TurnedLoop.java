package io.taskmaster.server.partition;

import static java.util.Objects.requireNonNull;

import io.taskmaster.time.Deadlines;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A loop that a test turns by hand, with its own time and the timers of the real one. */
public final class TurnedLoop implements PartitionLoop {

    /** More than any test has use for. */
    private static final int MAX_RUNS = 1_000_000;

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final Timers timers = new Timers();
    private @Nullable ArrayDeque<Runnable> beside;
    private long nowMillis = 1_000_000;
    private long nanos;
    private long turns;

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
    public void executeBeside(Runnable task) {
        (beside == null ? tasks : beside).add(task);
    }

    /** Computes at once, unless what is to run beside the loop does not get to it. */
    @Override
    public void compute(Runnable work) {
        (beside == null ? tasks : beside).add(work);
    }

    /** What is to run beside the loop does not get to it for now. */
    void holdBeside() {
        beside = new ArrayDeque<>();
    }

    void releaseBeside() {
        if (beside != null) {
            tasks.addAll(beside);
            beside = null;
        }
    }

    /** Runs the next of what can run now; false if there is nothing. */
    boolean step() {
        Runnable next = tasks.poll();
        if (next != null) {
            run(next);
        }
        return next != null;
    }

    /** Runs what can run now. */
    public void turn() {
        while (!tasks.isEmpty()) {
            run(tasks.remove());
        }
    }

    private void run(Runnable task) {
        turns++;
        task.run();
    }

    /** How much has run: tasks and timers. */
    public long turns() {
        return turns;
    }

    /** The clock jumps: whatever came due meanwhile runs late. */
    void jump(long millis) {
        elapse(Deadlines.nanos(millis));
        pass(0);
    }

    /** Lets time pass, running what comes due on the way. */
    public void pass(long millis) {
        long endNanos = nanos + Deadlines.nanos(millis);
        turn();
        int runs = 0;
        while (!timers.isEmpty() && timers.nanosUntilNext(nanos) <= endNanos - nanos) {
            elapse(Math.max(0, timers.nanosUntilNext(nanos)));
            run(requireNonNull(timers.takeDue(nanos)));
            turn();
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
