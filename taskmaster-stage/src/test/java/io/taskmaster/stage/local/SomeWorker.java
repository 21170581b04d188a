package io.taskmaster.stage.local;

import io.taskmaster.stage.local.pool.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A worker whose run is a function of the test. Single-threaded: owned by the test, but for the count of threads. */
public final class SomeWorker implements Threads.Worker {

    private final AtomicInteger threads;
    private final Runnable runs;
    private final Runnable refused;
    public final List<StackTraceElement[]> slow = new ArrayList<>();
    public int turns;

    /** @param threads the number of threads that its stage has */
    public SomeWorker(AtomicInteger threads, Runnable runs, Runnable refused) {
        this.threads = threads;
        this.runs = runs;
        this.refused = refused;
    }

    /** Makes the only worker of its stage. */
    public SomeWorker(Runnable runs) {
        this(new AtomicInteger(), runs, () -> {});
    }

    @Override
    public void run() {
        runs.run();
    }

    @Override
    public void refused() {
        refused.run();
    }

    @Override
    public boolean tryTakeThread(int most) {
        return threads.getAndUpdate(now -> now < most ? now + 1 : now) < most;
    }

    @Override
    public void leaveThread() {
        threads.decrementAndGet();
    }

    @Override
    public int turns() {
        return turns;
    }

    @Override
    public void isSlow(StackTraceElement[] where) {
        slow.add(where);
    }
}
