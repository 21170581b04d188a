package io.taskmaster.stage.local.pool;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.local.Interleavings;
import io.taskmaster.stage.local.SomeWorker;
import java.time.Instant;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Tests that a {@link SharedPool} runs every worker once, in whatever order its threads come, and counts the threads of
 * each stage correctly.
 */
public final class SharedPoolInterleavingsTest {

    private static final Timer NO_TIME = new Timer() {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public void schedule(Runnable task, long delayNanos) {}
    };

    private final ConcurrentLinkedQueue<Runnable> threads = new ConcurrentLinkedQueue<>();
    private final SharedPool pool = new SharedPool(threads::add, 2, NO_TIME);
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger run = new AtomicInteger();
    private final AtomicInteger threadsOfOne = new AtomicInteger();
    private final AtomicInteger threadsOfOther = new AtomicInteger();

    private void ask(AtomicInteger stage) {
        asked.incrementAndGet();
        pool.start(new SomeWorker(stage, run::incrementAndGet, () -> {}));
    }

    @Operation
    public void one() {
        ask(threadsOfOne);
    }

    @Operation
    public void other() {
        ask(threadsOfOther);
    }

    /** Runs a thread, if one was asked for. */
    @Operation
    public void come() {
        Runnable thread = threads.poll();
        if (thread != null) {
            thread.run();
        }
    }

    @Validate
    public void whenAllHaveComeAllHaveRun() {
        for (Runnable thread = threads.poll(); thread != null; thread = threads.poll()) {
            thread.run();
        }
        if (run.get() != asked.get() || pool.hasWaiting() || threadsOfOne.get() != 0 || threadsOfOther.get() != 0) {
            throw new AssertionError("asked: %d, run: %d, threads: %d and %d (expected: all run, none kept)"
                    .formatted(asked.get(), run.get(), threadsOfOne.get(), threadsOfOther.get()));
        }
    }

    @Test
    void inManyOrders() {
        Interleavings.explore(SharedPoolInterleavingsTest.class);
    }

    @Test
    void onRealThreads() {
        Interleavings.stress(SharedPoolInterleavingsTest.class);
    }
}
