package io.taskmaster.stage.local;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Tests that a {@link Crew} leaves no event in line, and no place taken, however its threads come and go. */
public final class CrewInterleavingsTest implements Crew.Work {

    private static final int PLACES = 2;

    private final ConcurrentLinkedQueue<Runnable> pool = new ConcurrentLinkedQueue<>();
    private final AtomicInteger line = new AtomicInteger();
    private final AtomicInteger atWork = new AtomicInteger();
    private final Crew crew = new Crew(Threads.of(pool::add, () -> 0), PLACES, this);

    @Override
    public boolean turn() {
        if (atWork.incrementAndGet() > PLACES) {
            throw new AssertionError("at work: %d (expected: %d at most)".formatted(atWork.get(), PLACES));
        }
        boolean any = line.getAndUpdate(now -> Math.max(0, now - 1)) > 0;
        atWork.decrementAndGet();
        return any;
    }

    @Override
    public boolean isThereAny() {
        return line.get() > 0;
    }

    @Override
    public void ended() {}

    @Override
    public void isSlow(StackTraceElement[] where) {}

    @Override
    public void deserted() {}

    @Operation
    public void offer() {
        line.incrementAndGet();
        crew.call();
    }

    @Operation
    public void places(@Param(gen = IntGen.class, conf = "1:2") int count) {
        crew.places(count);
    }

    @Operation
    public void pause() {
        crew.pause();
    }

    @Operation
    public void resume() {
        crew.resume();
    }

    @Operation
    public void help() {
        boolean _ = crew.help();
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
        crew.resume();
        for (Runnable worker = pool.poll(); worker != null; worker = pool.poll()) {
            worker.run();
        }
        if (line.get() != 0 || crew.size() != 0) {
            throw new AssertionError(
                    "in line: %d, places taken: %d (expected: none)".formatted(line.get(), crew.size()));
        }
    }

    @Test
    void inManyOrders() {
        Interleavings.explore(CrewInterleavingsTest.class);
    }

    @Test
    void onRealThreads() {
        Interleavings.stress(CrewInterleavingsTest.class);
    }
}
