package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.worker.StageStatus.Phase;
import io.taskmaster.stage.worker.task.Tracing;
import io.taskmaster.stage.worker.task.WorkerEnvironment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests of the permits of one key, of the sources of a key, and of the threads of computing handlers. */
final class WorkerKeysTest extends OneStage {

    private static final int MANY = 1_000;

    private void enqueueOf(String key, int count) {
        for (int i = 0; i < count; i++) {
            tasks.enqueue("in", "%s%04d".formatted(key, i), key);
        }
    }

    private static StageBuilder<String> byKey(StageBuilder<String> stage) {
        return stage.perKey(task -> task.pid().toString().substring(0, 1), 1)
                .concurrency(12)
                .prefetch(300)
                .retry(RetryPolicy.DEFAULT.maxAttempts(1_000).delays(Duration.ofHours(1), Duration.ofHours(1)));
    }

    /** Runs handlers as they are submitted, for a while. */
    private void work(Duration span) {
        long endNanos = time.nanoTime() + span.toNanos();
        while (time.nanoTime() < endNanos) {
            time.run(Duration.ofMillis(5));
            for (int i = handlers.size(); i > 0; i--) {
                handlers.remove().run();
            }
        }
    }

    @Test
    void busyKeyLeavesPermitsToOthers() {
        enqueueOf("a", MANY);
        enqueueOf("b", 20);
        Worker worker = start(stage -> byKey(stage.handler(task -> {
            seen.add(task);
            return task.payload().equals("a")
                    ? Outcome.retryAfter(Duration.ofHours(1), "a cannot be done now")
                    : Outcome.done();
        })));
        work(Duration.ofMinutes(1));
        assertThat(tasks.pids("in")).hasSize(MANY).noneMatch(pid -> pid.startsWith("b"));
        assertThat(tasks.pids("in").stream().filter(pid -> tasks.isLeased("in", pid)))
                .as("of the key that rests")
                .hasSizeLessThanOrEqualTo(12 + 300 + 1);
        assertThat(tasks.pids("in").stream().filter(pid -> tasks.attempts("in", pid) > 1))
                .as("no attempt is counted for those that are given back")
                .isEmpty();
        assertThat(status(worker).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void tasksOfABusyKeyAreDoneInTheirOrderAllTheSame() {
        enqueueOf("a", MANY);
        enqueueOf("b", 20);
        Worker worker = start(stage -> byKey(stage.handler(task -> {
            seen.add(task);
            return Outcome.done();
        })));
        work(Duration.ofMinutes(2));
        assertThat(tasks.pids("in")).isEmpty();
        assertThat(seen.stream()
                        .filter(task -> task.payload().equals("a"))
                        .map(task -> task.pid().toString()))
                .hasSize(MANY)
                .isSorted();
        assertThat(status(worker).postponed()).as("some were given back").isPositive();
        assertThat(seen).extracting(Task::attempt).containsOnly(1);
    }

    @Test
    void keyMayBeReadOffThePayload() {
        tasks.enqueue("in", "p1", "x");
        tasks.enqueue("in", "p2", "x");
        tasks.enqueue("in", "p3", "y");
        start(stage -> stage.handler(_ -> Outcome.done()).perKey(Task::payload, 1));
        time.run(SHORT);
        assertThat(handlers).as("one of x, one of y").hasSize(2);
    }

    @Test
    void taskWhoseKeyIsInUnreadableDataIsDead() {
        tasks.enqueueBytes("in", "p", new byte[] {(byte) 0xff});
        Worker worker = start(stage -> stage.handler(_ -> Outcome.done()).perKey(Task::payload, 1));
        runHandlers();
        assertThat(tasks.pids("in.dead")).containsExactly("p");
        assertThat(status(worker).retried()).isZero();
    }

    @Test
    void handlersThatComputeRunElsewhere() {
        Deque<Runnable> computing = new ArrayDeque<>();
        tasks.enqueue("in", "p", "data");
        WorkerEnvironment plain = world();
        Worker worker = Worker.start(
                pipeline(stage -> stage.handler(_ -> Outcome.done()).computing()),
                new WorkerEnvironment(
                        plain.tasks(),
                        plain.timer(),
                        plain.loop(),
                        plain.handlers(),
                        computing::add,
                        new SplittableRandom(3),
                        Tracing.NONE,
                        Optional.empty()));
        time.run(SHORT);
        assertThat(handlers).isEmpty();
        assertThat(computing).hasSize(1);
        assertThat(status(worker).maxRunning()).isEqualTo(Runtime.getRuntime().availableProcessors());
        List.copyOf(computing).forEach(Runnable::run);
        time.run(SHORT);
        assertThat(tasks.pids("in")).isEmpty();
    }
}
