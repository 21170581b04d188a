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
    private int left = MANY;

    /** The number of remaining events at which {@link #event} happens. */
    private int then = -1;

    private Runnable event = () -> {};

    /** The duration of a turn. */
    private Duration turn = Duration.ZERO;

    @Override
    public boolean turn() {
        if (left == then) {
            event.run();
        }
        time.run(turn);
        return left > 0 && left-- > 0;
    }

    @Override
    public boolean isThereAny() {
        return left > 0;
    }

    @Override
    public void ended() {}

    @Override
    public void isSlow(StackTraceElement[] where) {}

    @Override
    public void deserted() {
        left = -1;
    }

    private void come() {
        threads.remove().run();
    }

    private void when(int isLeft, Runnable happens) {
        then = isLeft;
        event = happens;
    }

    @Test
    void workerKeepsAThreadThatNobodyWaitsFor() {
        workerPool.call();
        come();
        assertThat(left).isZero();
        assertThat(threads).isEmpty();
        assertThat(workerPool.size()).isZero();
    }

    @Test
    void workerMakesWayWhenSomebodyAsksForAThread() {
        when(MANY - 5_000, () -> pool.ask(new SomeWorker(() -> {})));
        workerPool.call();
        come();
        assertThat(left).isBetween(MANY - 5_256, MANY - 5_000);
        assertThat(threads).hasSize(2);

        come();
        come();
        assertThat(left).isZero();
        assertThat(threads).isEmpty();
    }

    @Test
    void workerMakesWayAfterAWhileHoweverFewTurnsItHadByThen() {
        turn = WorkerPool.STAY.dividedBy(4);
        when(MANY - 5_000, () -> pool.ask(new SomeWorker(() -> {})));
        workerPool.call();
        come();
        assertThat(left).as("it has had its time").isEqualTo(MANY - 5_001);

        when(left - 1, () -> pool.ask(new SomeWorker(() -> {})));
        int before = left;
        come();
        come();
        assertThat(left).as("it has its time").isEqualTo(before - 4);
    }

    @Test
    void workerLeavesAThreadThatItKeptWhenItIsPaused() {
        when(MANY - 5_000, workerPool::pause);
        workerPool.call();
        come();
        assertThat(left).isEqualTo(MANY - 5_001);
        assertThat(workerPool.size()).isZero();
        assertThat(threads).isEmpty();

        workerPool.resume();
        come();
        assertThat(left).isZero();
    }

    /** Makes way because the executor may have other users that the crew does not know of. */
    @Test
    void workerMakesWayOnThreadsThatAreNotForWorkersAlone() {
        WorkerPool guests = new WorkerPool(Threads.of(threads::add, () -> 0), 1, this);
        guests.call();
        come();
        assertThat(left).isBetween(MANY - 300, MANY - 1);
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
        assertThat(left).isEqualTo(-1);
        assertThat(alone.size()).isZero();
    }
}
