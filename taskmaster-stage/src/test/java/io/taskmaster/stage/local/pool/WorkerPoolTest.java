package io.taskmaster.stage.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.local.SomeWorker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Tests of the time for which a worker keeps its thread. */
final class WorkerPoolTest implements WorkerPool.Work {

    private static final int MANY = 10_000;

    private final SimulatedTime time = new SimulatedTime(new SplittableRandom(1));
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final SharedPool pool = new SharedPool(threads::add, 1, time);
    private final WorkerPool workerPool = new WorkerPool(pool, 1, this);
    private int remaining = MANY;

    /** The number of remaining events at which {@link #event} happens. */
    private int hookAt = -1;

    private Runnable event = () -> {};

    /** The duration of a turn. */
    private Duration turn = Duration.ZERO;

    @Override
    public boolean handleNext() {
        if (remaining == hookAt) {
            event.run();
        }
        time.run(turn);
        return remaining > 0 && remaining-- > 0;
    }

    @Override
    public boolean hasWork() {
        return remaining > 0;
    }

    @Override
    public void ended() {}

    @Override
    public void isSlow(StackTraceElement[] where) {}

    @Override
    public void onNoThread() {
        remaining = -1;
    }

    private void come() {
        threads.remove().run();
    }

    private void when(int isLeft, Runnable happens) {
        hookAt = isLeft;
        event = happens;
    }

    @Test
    void workerKeepsAThreadThatNobodyWaitsFor() {
        workerPool.call();
        come();
        assertThat(remaining).isZero();
        assertThat(threads).isEmpty();
        assertThat(workerPool.size()).isZero();
    }

    @Test
    void workerMakesWayWhenSomebodyAsksForAThread() {
        when(MANY - 5_000, () -> pool.start(new SomeWorker(() -> {})));
        workerPool.call();
        come();
        assertThat(remaining).isBetween(MANY - 5_256, MANY - 5_000);
        assertThat(threads).hasSize(2);

        come();
        come();
        assertThat(remaining).isZero();
        assertThat(threads).isEmpty();
    }

    @Test
    void workerMakesWayAfterAWhileHoweverFewTurnsItHadByThen() {
        turn = WorkerPool.MAX_STAY.dividedBy(4);
        when(MANY - 5_000, () -> pool.start(new SomeWorker(() -> {})));
        workerPool.call();
        come();
        assertThat(remaining).as("it has had its time").isEqualTo(MANY - 5_001);

        when(remaining - 1, () -> pool.start(new SomeWorker(() -> {})));
        int before = remaining;
        come();
        come();
        assertThat(remaining).as("it has its time").isEqualTo(before - 4);
    }

    @Test
    void workerLeavesAThreadThatItKeptWhenItIsPaused() {
        when(MANY - 5_000, workerPool::pause);
        workerPool.call();
        come();
        assertThat(remaining).isEqualTo(MANY - 5_001);
        assertThat(workerPool.size()).isZero();
        assertThat(threads).isEmpty();

        workerPool.resume();
        come();
        assertThat(remaining).isZero();
    }

    /** Makes way because the executor may have other users that the crew does not know of. */
    @Test
    void workerMakesWayOnThreadsThatAreNotForWorkersAlone() {
        WorkerPool guests = new WorkerPool(Threads.of(threads::add, () -> 0), 1, this);
        guests.call();
        come();
        assertThat(remaining).isBetween(MANY - 300, MANY - 1);
        assertThat(threads).hasSize(1);
    }

    @Test
    void whoIsRefusedAThreadIsDeserted() {
        WorkerPool alone = new WorkerPool(
                Threads.of(
                        _ -> {
                            throw new RejectedExecutionException("no pool");
                        },
                        () -> 0),
                1,
                this);
        alone.call();
        assertThat(remaining).isEqualTo(-1);
        assertThat(alone.size()).isZero();
    }
}
