package io.taskmaster.server.partition;

import java.util.ArrayDeque;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A loop that a test turns by hand, with its own time. */
public final class TurnedLoop implements PartitionLoop {

    private record Timer(long dueMillis, long number, Runnable task) implements Comparable<Timer> {

        @Override
        public int compareTo(Timer other) {
            return dueMillis != other.dueMillis
                    ? Long.compare(dueMillis, other.dueMillis)
                    : Long.compare(number, other.number);
        }
    }

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private @Nullable ArrayDeque<Runnable> beside;
    private long nowMillis = 1_000_000;
    private long made;

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
        timers.add(new Timer(nowMillis + delayMillis, made++, task));
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
            next.run();
        }
        return next != null;
    }

    /** Runs what can run now. */
    public void turn() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    /** The clock jumps: whatever came due meanwhile runs late. */
    void jump(long millis) {
        nowMillis += millis;
        pass(0);
    }

    /** Lets time pass, running what comes due on the way. */
    public void pass(long millis) {
        long end = nowMillis + millis;
        turn();
        while (!timers.isEmpty() && timers.peek().dueMillis <= end) {
            Timer timer = timers.remove();
            nowMillis = Math.max(nowMillis, timer.dueMillis);
            timer.task.run();
            turn();
        }
        nowMillis = end;
    }
}
