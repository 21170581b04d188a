package io.taskmaster.stage.local;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A worker that does what a test says, of a stage that has some. Not thread-safe, but for the threads that it takes. */
final class SomeWorker implements Threads.Worker {

    private final AtomicInteger threads;
    private final Runnable runs;
    private final Runnable refused;
    final List<StackTraceElement[]> slow = new ArrayList<>();
    int turns;

    /**
     * @param threads that its stage has
     */
    SomeWorker(AtomicInteger threads, Runnable runs, Runnable refused) {
        this.threads = threads;
        this.runs = runs;
        this.refused = refused;
    }

    /** The only one of its stage. */
    SomeWorker(Runnable runs) {
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
    public boolean takeThread(int most) {
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
