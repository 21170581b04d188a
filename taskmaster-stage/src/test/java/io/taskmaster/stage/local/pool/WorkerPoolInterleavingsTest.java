package io.taskmaster.stage.local.pool;

import io.taskmaster.stage.local.Interleavings;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Tests that a {@link WorkerPool} leaves no event in line, and no place taken, however its threads come and go. */
public final class WorkerPoolInterleavingsTest implements WorkerPool.Work {

    private static final int PLACES = 2;

    private final ConcurrentLinkedQueue<Runnable> pool = new ConcurrentLinkedQueue<>();
    private final AtomicInteger line = new AtomicInteger();
    private final AtomicInteger atWork = new AtomicInteger();
    private final WorkerPool workerPool = new WorkerPool(Threads.of(pool::add, () -> 0), PLACES, this);

    @Override
    public boolean handleNext() {
        if (atWork.incrementAndGet() > PLACES) {
            throw new AssertionError("at work: %d (expected: %d at most)".formatted(atWork.get(), PLACES));
        }
        boolean any = line.getAndUpdate(now -> Math.max(0, now - 1)) > 0;
        atWork.decrementAndGet();
        return any;
    }

    @Override
    public boolean hasWork() {
        return line.get() > 0;
    }

    @Override
    public void ended() {}

    @Override
    public void isSlow(StackTraceElement[] where) {}

    @Override
    public void onNoThread() {}

    @Operation
    public void offer() {
        line.incrementAndGet();
        workerPool.call();
    }

    @Operation
    public void places(@Param(gen = IntGen.class, conf = "1:2") int count) {
        workerPool.places(count);
    }

    @Operation
    public void pause() {
        workerPool.pause();
    }

    @Operation
    public void resume() {
        workerPool.resume();
    }

    @Operation
    public void help() {
        boolean _ = workerPool.help();
    }

    /** Runs a thread, if one was asked for. */
    @Operation
    public void come() {
        Runnable worker = pool.poll();
        if (worker != null) {
            worker.run();
        }
    }

    @Validate
    public void whenAllHaveComeNothingIsLeft() {
        workerPool.resume();
        for (Runnable worker = pool.poll(); worker != null; worker = pool.poll()) {
            worker.run();
        }
        if (line.get() != 0 || workerPool.size() != 0) {
            throw new AssertionError(
                    "in line: %d, places taken: %d (expected: none)".formatted(line.get(), workerPool.size()));
        }
    }

    @Test
    void inManyOrders() {
        Interleavings.explore(WorkerPoolInterleavingsTest.class);
    }

    @Test
    void onRealThreads() {
        Interleavings.stress(WorkerPoolInterleavingsTest.class);
    }
}
