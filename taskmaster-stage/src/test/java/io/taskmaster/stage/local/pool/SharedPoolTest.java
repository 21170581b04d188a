package io.taskmaster.stage.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.local.SomeWorker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of the order in which workers get threads of a {@link SharedPool}. */
final class SharedPoolTest {

    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<String> events = new ArrayList<>();
    private final SharedPool pool = new SharedPool(this::come, 2, new SimulatedTime(new SplittableRandom(1)));

    /** An action while the pool is asked for a thread, before it refuses. */
    private Runnable beforeTheEnd = () -> {};

    private boolean ended;

    private void come(Runnable thread) {
        if (ended) {
            beforeTheEnd.run();
            throw new RejectedExecutionException("no pool any more");
        }
        threads.push(thread);
    }

    private void ask(String worker) {
        pool.start(new SomeWorker(new AtomicInteger(), () -> events.add(worker), () -> events.add("no " + worker)));
    }

    @Test
    void workersGetThreadsInTheOrderInWhichTheyAsk() {
        assertThat(pool.hasWaiting()).isFalse();
        ask("a");
        ask("b");
        assertThat(pool.hasWaiting()).isTrue();

        // The task that was handed to the pool last runs first.
        threads.pop().run();
        assertThat(events).containsExactly("a");
        assertThat(pool.hasWaiting()).isTrue();
        threads.pop().run();
        assertThat(events).containsExactly("a", "b");
        assertThat(pool.hasWaiting()).isFalse();
    }

    @Test
    void whoIsRefusedIsToldAndNotRun() {
        ended = true;
        ask("a");
        assertThat(events).containsExactly("no a");
        assertThat(pool.hasWaiting()).isFalse();
    }

    /** Asks for a second worker while the first is being refused: the task of the second runs the first. */
    @Test
    void whoIsLeftWithoutAThreadIsTold() {
        ended = true;
        beforeTheEnd = () -> {
            ended = false;
            ask("second");
            threads.pop().run();
        };
        ask("first");
        assertThat(events).containsExactly("first", "no second");
        assertThat(pool.hasWaiting()).isFalse();
    }

    @Test
    void threadThatFindsNobodyDoesNothing() {
        ask("a");
        Runnable thread = threads.pop();
        thread.run();
        thread.run();
        assertThat(events).containsExactly("a");
    }

    /** Covers a stage that has all threads but one while workers of others wait. */
    @Test
    void stageLeavesOneThreadToOthers() {
        AtomicInteger busy = new AtomicInteger();
        AtomicInteger idle = new AtomicInteger();
        ask(busy, "busy 1", () -> threads.pop().run());
        ask(busy, "busy 2", () -> {});
        ask(busy, "busy 3", () -> {});
        ask(idle, "idle", () -> {});
        threads.pop().run();
        assertThat(events).containsExactly("busy 1", "idle");
        threads.pop().run();
        threads.pop().run();
        assertThat(events).containsExactly("busy 1", "idle", "busy 2", "busy 3");
        assertThat(busy).hasValue(0);
        assertThat(idle).hasValue(0);
    }

    @Test
    void stageHasAllThreadsWhileNobodyElseWaits() {
        AtomicInteger busy = new AtomicInteger();
        ask(busy, "busy 1", () -> threads.pop().run());
        ask(busy, "busy 2", () -> assertThat(busy).hasValue(2));
        ask(busy, "busy 3", () -> assertThat(busy).hasValue(2));
        threads.pop().run();
        assertThat(events).as("one in the middle of the other").hasSize(2);
        assertThat(threads).hasSize(1);
    }

    private void ask(AtomicInteger stage, String worker, Runnable meanwhile) {
        pool.start(new SomeWorker(
                stage,
                () -> {
                    events.add(worker);
                    meanwhile.run();
                },
                () -> {}));
    }
}
