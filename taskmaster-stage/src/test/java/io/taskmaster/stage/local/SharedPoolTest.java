package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Which worker gets a thread of a {@link SharedPool}, and when. */
final class SharedPoolTest {

    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private final SharedPool pool = new SharedPool(this::come);

    /** What happens while the pool is asked for a thread, before it refuses. */
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
        pool.ask(() -> told.add(worker), () -> told.add("no " + worker));
    }

    @Test
    void workersGetThreadsInTheOrderInWhichTheyAsk() {
        assertThat(pool.mayBeKept()).isTrue();
        ask("a");
        ask("b");
        assertThat(pool.mayBeKept()).isFalse();

        // The last that was handed to the pool comes first.
        threads.pop().run();
        assertThat(told).containsExactly("a");
        assertThat(pool.mayBeKept()).isFalse();
        threads.pop().run();
        assertThat(told).containsExactly("a", "b");
        assertThat(pool.mayBeKept()).isTrue();
    }

    @Test
    void whoIsRefusedIsToldAndNotRun() {
        ended = true;
        ask("a");
        assertThat(told).containsExactly("no a");
        assertThat(pool.mayBeKept()).isTrue();
    }

    /** While the first is being refused, the thread that came for the second takes the first. */
    @Test
    void whoIsLeftWithoutAThreadIsTold() {
        ended = true;
        beforeTheEnd = () -> {
            ended = false;
            ask("second");
            threads.pop().run();
        };
        ask("first");
        assertThat(told).containsExactly("first", "no second");
        assertThat(pool.mayBeKept()).isTrue();
    }

    @Test
    void threadThatFindsNobodyDoesNothing() {
        ask("a");
        Runnable thread = threads.pop();
        thread.run();
        thread.run();
        assertThat(told).containsExactly("a");
    }
}
