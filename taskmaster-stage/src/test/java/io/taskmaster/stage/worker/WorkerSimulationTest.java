package io.taskmaster.stage.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A simulation of tokens that go from stage to stage while workers die, drain and start, handlers fail and time out,
 * leases are lost, and the network loses requests and replies. At the end each token is in the last queue, exactly
 * once. Meanwhile no task of a key overtakes another if the key is limited to one at a time, and nothing is committed
 * under a lease that is known to be lost.
 */
final class WorkerSimulationTest {

    private static final int SEEDS = Integer.getInteger("simulation.seeds", 500);
    private static final TaskQueue<String> A = TaskQueue.of("a", Codec.utf8());
    private static final TaskQueue<String> B = TaskQueue.of("b", Codec.utf8());
    private static final TaskQueue<String> C = TaskQueue.of("c", Codec.utf8());
    private static final TaskQueue<String> LEFT = TaskQueue.of("left", Codec.utf8());
    private static final TaskQueue<String> RIGHT = TaskQueue.of("right", Codec.utf8());
    private static final Duration LEASE = Duration.ofSeconds(10);

    /** A policy that never gives up, so that no token becomes a dead letter. */
    private static final RetryPolicy PATIENT =
            RetryPolicy.DEFAULT.maxAttempts(1_000).delays(Duration.ofMillis(10), Duration.ofSeconds(5));

    @Test
    void everyTokenArrivesOnceWhateverDies() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            new Run(seed).go();
        }
    }

    private static final class Run {
        private final long seed;
        private final SplittableRandom random;
        private final SimulatedTime time;
        private final SimulatedTasks tasks;
        private final List<String> tokens;
        private final List<SimulatedWorker> workers = new ArrayList<>();
        private final List<CompletableFuture<Void>> drained = new ArrayList<>();

        /** The tasks that came to the same worker before, by lease, for keys that are limited to one task at a time. */
        private final Map<Long, List<LeasedTask>> ahead = new HashMap<>();

        private final List<String> overtaken = new ArrayList<>();
        private int handlerFailurePercent = 20;

        Run(long seed) {
            this.seed = seed;
            random = new SplittableRandom(seed);
            time = new SimulatedTime(random.split());
            tasks = new SimulatedTasks(time, random.split());
            tokens = IntStream.range(0, 1 + random.nextInt(40))
                    .mapToObj("t%02d"::formatted)
                    .toList();
        }

        void go() {
            tokens.forEach(token -> tasks.enqueue("a", token, token));
            tasks.failurePercent(random.nextInt(20));
            for (int i = 0; i < 2; i++) {
                start();
            }
            for (int step = random.nextInt(30); step > 0; step--) {
                time.run(Duration.ofMillis(random.nextInt(2_000)));
                disturb();
            }
            heal();
            boolean arrived = time.runUntil(() -> arrived("left") && arrived("right"), Duration.ofHours(2));
            assertThat(arrived).as("seed %d: all tokens arrive", seed).isTrue();
            assertThat(List.of(tasks.pids("a"), tasks.pids("b"), tasks.pids("c")))
                    .as("seed %d: none is left behind", seed)
                    .allMatch(List::isEmpty);
            assertThat(tasks.pids("left")).as("seed %d", seed).isEqualTo(tokens);
            assertThat(tasks.pids("right")).as("seed %d", seed).hasSameSizeAs(tokens);
            stopAll();
            assertThat(overtaken)
                    .as("seed %d: tasks of a key are done in their order", seed)
                    .isEmpty();
            assertThat(tasks.known().delayed())
                    .as("seed %d: where order is kept, a task that is tried again makes room for no other", seed)
                    .noneMatch(ahead::containsKey);
            assertThat(tasks.known().inVain())
                    .as("seed %d: nothing is committed for a lease that is known to be lost", seed)
                    .isEmpty();
        }

        private boolean arrived(String queue) {
            return tasks.pids(queue).size() >= tokens.size();
        }

        private void disturb() {
            SimulatedWorker worker = workers.get(random.nextInt(workers.size()));
            switch (random.nextInt(6)) {
                case 0 -> worker.die();
                case 1 -> drained.add(worker.drain(Duration.ofSeconds(random.nextInt(5))));
                case 2 -> start();
                case 3 -> steal("a");
                case 4 -> steal("b");
                default -> tasks.failurePercent(random.nextInt(20));
            }
        }

        private void steal(String queue) {
            List<String> pids = tasks.pids(queue);
            if (!pids.isEmpty()) {
                tasks.steal(queue, pids.get(random.nextInt(pids.size())));
            }
        }

        private void heal() {
            tasks.failurePercent(0);
            handlerFailurePercent = 0;
            start();
        }

        private void start() {
            workers.add(new SimulatedWorker(pipeline(), time, tasks, random.split(), Duration.ofSeconds(2)));
        }

        private Pipeline pipeline() {
            return Pipeline.in("g")
                    .stage(
                            A,
                            stage -> shape(stage.handler(task -> work(task, B))).to(B))
                    .stage(
                            B,
                            stage -> shape(stage.batchHandler(5, (batch, finish) -> {
                                        for (Task<String> task : batch) {
                                            finish.with(task, work(task, C));
                                        }
                                    }))
                                    .to(C))
                    .stage(
                            C,
                            stage -> shape(stage.handler(task -> {
                                        begin(task);
                                        return Outcome.handOff(
                                                LEFT.task(task.payload()),
                                                RIGHT.task(task.payload()).last());
                                    }))
                                    .to(LEFT, RIGHT))
                    .sinks(LEFT, RIGHT)
                    .build();
        }

        private StageBuilder<String> shape(StageBuilder<String> stage) {
            switch (random.nextInt(4)) {
                case 0 -> stage.perKey(inLine(), 1);
                case 1 -> stage.perKey(Run::key, 2);
                default -> {}
            }
            if (random.nextInt(4) == 0) {
                stage.rate(new Rate(1 + random.nextInt(50), 1 + random.nextInt(5)));
            }
            return stage.concurrency(1 + random.nextInt(4))
                    .prefetch(random.nextInt(4))
                    .lease(LEASE)
                    .timeout(Duration.ofSeconds(1 + random.nextInt(10)))
                    .retry(PATIENT);
        }

        private static String key(Task<String> task) {
            return task.pid().toString().substring(2);
        }

        /**
         * Returns the same key function, which also records the tasks that come to this worker: it is called for each
         * task as it arrives.
         */
        private Function<Task<String>, @Nullable String> inLine() {
            Map<String, List<LeasedTask>> lines = new HashMap<>();
            return task -> {
                List<LeasedTask> line = lines.computeIfAbsent(key(task), _ -> new ArrayList<>());
                ahead.put(task.lease().leaseId(), List.copyOf(line));
                line.add(task.lease());
                return key(task);
            };
        }

        private void begin(Task<String> task) {
            ahead.getOrDefault(task.lease().leaseId(), List.of()).stream()
                    .filter(earlier -> !tasks.known().isOver(earlier))
                    .forEach(earlier -> overtaken.add("%s by %s".formatted(earlier.pid(), task.pid())));
        }

        private Outcome work(Task<String> task, TaskQueue<String> next) {
            begin(task);
            assertThat(task.payload()).isEqualTo(task.pid().toString());
            if (random.nextInt(100) < handlerFailurePercent) {
                if (random.nextBoolean()) {
                    throw new IllegalStateException("planted");
                }
                return Outcome.retry("planted");
            }
            return Outcome.handOff(next.task(task.payload()));
        }

        private void stopAll() {
            workers.forEach(worker -> drained.add(worker.drain(Duration.ofSeconds(1))));
            time.run(Duration.ofMinutes(1));
            SimulatedWorker last = workers.getLast();
            assertThat(last.drain(Duration.ofSeconds(1)))
                    .as("seed %d: the last worker stops", seed)
                    .isDone();
        }
    }
}
