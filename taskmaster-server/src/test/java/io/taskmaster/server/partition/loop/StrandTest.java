package io.taskmaster.server.partition.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class StrandTest {

    private final TurnedLoop loop = new TurnedLoop();
    private final Strand strand = new Strand(loop);
    private final Strand other = new Strand(loop);
    private final List<String> done = new ArrayList<>();

    @Test
    void whileOneIsAwayItsStrandWaitsAndOthersGoOn() {
        loop.holdOffloaded();
        strand.offload(() -> done.add("large"));
        strand.execute(() -> done.add("after"));
        loop.tick();
        strand.run(() -> done.add("last"));
        other.execute(() -> done.add("other"));
        other.run(() -> done.add("at once"));
        strand.schedule(5, () -> done.add("timer"));
        loop.pass(10);
        assertThat(done).containsExactly("at once", "other");

        loop.releaseOffloaded();
        loop.tick();
        assertThat(done).containsExactly("at once", "other", "large", "after", "last", "timer");
    }

    @Test
    void whoWaitedTakesTurnsWithOthers() {
        loop.holdOffloaded();
        strand.offload(() -> done.add("large"));
        strand.execute(() -> done.add("first"));
        strand.execute(() -> done.add("second"));
        loop.tick();
        loop.releaseOffloaded();
        loop.step();
        other.execute(() -> done.add("other"));
        loop.tick();

        assertThat(done).containsExactly("large", "first", "other", "second");
    }

    @Test
    void severalLeaveOneAfterTheOther() {
        for (int i = 0; i < 3; i++) {
            int number = i;
            strand.offload(() -> done.add("large " + number));
            strand.execute(() -> done.add("small " + number));
        }
        loop.tick();

        assertThat(done).containsExactly("large 0", "small 0", "large 1", "small 1", "large 2", "small 2");
    }

    @Test
    void whoFailsHoldsNobodyUp() {
        strand.offload(() -> {
            throw new IllegalStateException("beside");
        });
        strand.execute(() -> {
            throw new IllegalStateException("waiting");
        });
        strand.execute(() -> done.add("last"));
        loop.step();
        assertThatThrownBy(loop::tick).hasMessage("beside");
        assertThatThrownBy(loop::tick).hasMessage("waiting");
        loop.tick();

        assertThat(done).containsExactly("last");
    }

    @Test
    void whereNobodyCanBeSentAwayTheWorkIsDoneHere() {
        Strand closing = new Strand(new PartitionLoop() {
            @Override
            public long nowMillis() {
                return loop.nowMillis();
            }

            @Override
            public void execute(Runnable task) {
                loop.execute(task);
            }

            @Override
            public void schedule(long delayMillis, Runnable task) {
                loop.schedule(delayMillis, task);
            }

            @Override
            public void offload(Runnable task) {
                throw new RejectedExecutionException();
            }

            @Override
            public void compute(Runnable work) {
                throw new RejectedExecutionException();
            }
        });
        closing.offload(() -> done.add("large"));
        closing.execute(() -> done.add("after"));
        loop.tick();

        assertThat(done).containsExactly("large", "after");
    }

    /**
     * Verifies with two partitions of one real loop that no partition runs in two threads at once, and that neither
     * waits for the other.
     */
    @Test
    void onRealThreadsAStrandIsInOneAtATime() throws InterruptedException {
        CountDownLatch mayReturn = new CountDownLatch(1);
        CountDownLatch otherWasServed = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger maxParallel = new AtomicInteger();
        int[] counted = new int[1];
        Runnable exclusive = () -> {
            maxParallel.accumulateAndGet(inside.incrementAndGet(), Math::max);
            counted[0]++;
            inside.decrementAndGet();
        };
        try (ExecutorService offloadExecutor = Executors.newFixedThreadPool(2);
                LoopThread thread = new LoopThread(
                        "test", Clock.system(), new EngineClock(Clock.system()), offloadExecutor, offloadExecutor)) {
            thread.start();
            Strand one = new Strand(thread);
            Strand two = new Strand(thread);
            one.offload(() -> {
                await(mayReturn);
                exclusive.run();
            });
            two.execute(otherWasServed::countDown);
            await(otherWasServed);
            for (int i = 0; i < 10_000; i++) {
                if (i % 3 == 0) {
                    one.offload(exclusive);
                } else {
                    one.execute(exclusive);
                }
            }
            one.execute(end::countDown);
            mayReturn.countDown();
            await(end);
        }

        assertThat(counted[0]).isEqualTo(10_001);
        assertThat(maxParallel).hasValue(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
