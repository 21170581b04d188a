package io.taskmaster.stage.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.LeaseKeeper;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.BatchHandler;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.KeyRule;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.task.InFlightTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TaskLanesTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final BatchHandler<String> NOTHING = (_, _) -> {};
    private static final Stage<String> STAGE = new Stage<>(
            TaskQueue.of("q", Codec.utf8()), NOTHING, false, List.of(), Optional.empty(), StageSettings.DEFAULT);

    private final LeaseKeeper keeper = new LeaseKeeper(
            (_, _) -> new CompletableFuture<>(), new SimulatedTime(new SplittableRandom(1)), Duration.ofMinutes(1));
    private int number;

    @Test
    void lanesTakeTurns() {
        TaskLanes<String> taskLanes = new TaskLanes<>(rule(10), Optional.empty(), 0);
        for (int i = 0; i < 3; i++) {
            taskLanes.add(task("a"), 0);
        }
        taskLanes.add(task("b"), 0);
        taskLanes.add(task("c"), 0);

        assertThat(keys(taskLanes, 0)).containsExactly("a", "b", "c", "a", "a");
    }

    @Test
    void rateIsKeptInTheLongRunAndAfterAPause() {
        TaskLanes<String> taskLanes = new TaskLanes<>(KeyRule.NONE, Optional.of(new Rate(10, 5)), 0);
        for (int i = 0; i < 1_000; i++) {
            taskLanes.add(task(""), 0);
        }

        assertThat(keys(taskLanes, 0)).hasSize(5);
        assertThat(keys(taskLanes, SECOND)).hasSize(5);
        assertThat(taskLanes.opensNanos()).hasValue(SECOND + SECOND / 10);
        int through = 10;
        for (long now = SECOND; now <= 11 * SECOND; now += SECOND / 100) {
            through += keys(taskLanes, now).size();
        }
        assertThat(through).isEqualTo(10 + 10 * 10);
    }

    @Test
    void slowLaneHoldsUpNoOther() {
        TaskLanes<String> taskLanes =
                new TaskLanes<>(new KeyRule(_ -> "", 10, Optional.of(Rate.perSecond(1))), Optional.empty(), 0);
        taskLanes.add(task("a"), 0);
        taskLanes.add(task("a"), 0);
        taskLanes.add(task("b"), 0);

        assertThat(keys(taskLanes, 0)).containsExactly("a", "b");
        assertThat(taskLanes.opensNanos()).hasValue(SECOND);
        assertThat(keys(taskLanes, SECOND - 1)).isEmpty();
        assertThat(keys(taskLanes, SECOND)).containsExactly("a");
        assertThat(taskLanes.opensNanos()).isEmpty();
    }

    @Test
    void busyLanesKeepTheirSharesAndLeaveOneToOthers() {
        TaskLanes<String> taskLanes = new TaskLanes<>(rule(1), Optional.empty(), 0);
        for (int i = 0; i < 10; i++) {
            taskLanes.add(task("a"), 0);
            taskLanes.add(task("b"), 0);
        }
        assertThat(taskLanes.areBlocked()).as("two may go").isFalse();
        assertThat(keys(taskLanes, 0)).containsExactly("a", "b");
        assertThat(taskLanes.areBlocked()).isTrue();

        Map<InFlightTask<String>, Instant> crowd = taskLanes.removeCrowd(9, _ -> Instant.EPOCH, 0);
        assertThat(crowd.keySet())
                .extracting(InFlightTask::key)
                .hasSize(2 * (9 - 3))
                .contains("a", "b");
        assertThat(crowd.values()).containsOnly(Instant.EPOCH.plus(TaskLanes.FIRST_CLOSED));
        assertThat(taskLanes.size()).isEqualTo(2 * 3);
        assertThat(taskLanes.closedUntil("a")).contains(Instant.EPOCH.plus(TaskLanes.FIRST_CLOSED));
        assertThat(taskLanes.closedUntil("c")).isEmpty();
        assertThat(taskLanes.removeCrowd(9, _ -> Instant.EPOCH, 0)).isEmpty();
    }

    @Test
    void laneThatIsNotWorkedOffIsClosedForLongerAndOneThatIsForLess() {
        TaskLanes<String> taskLanes = new TaskLanes<>(rule(1), Optional.empty(), 0);
        taskLanes.add(task("a"), 0);
        InFlightTask<String> first = requireNonNull(taskLanes.next(0));
        assertThat(closedFor(taskLanes)).isEqualTo(TaskLanes.FIRST_CLOSED);
        assertThat(closedFor(taskLanes)).isEqualTo(TaskLanes.FIRST_CLOSED.multipliedBy(2));
        for (int i = 0; i < 20; i++) {
            closedFor(taskLanes);
        }
        assertThat(closedFor(taskLanes)).isEqualTo(TaskLanes.MAX_CLOSED);

        for (int i = 0; i < 20; i++) {
            while (taskLanes.size() > 0) {
                taskLanes.onSettled(first, 0);
                first = requireNonNull(taskLanes.next(0));
            }
            closedFor(taskLanes);
        }
        assertThat(taskLanes.closedUntil("a")).contains(Instant.EPOCH.plus(TaskLanes.MIN_CLOSED));
    }

    private Duration closedFor(TaskLanes<String> taskLanes) {
        for (int i = 0; i < 10; i++) {
            taskLanes.add(task("a"), 0);
        }
        assertThat(taskLanes.removeCrowd(4, _ -> Instant.EPOCH, 0)).isNotEmpty();
        return Duration.between(Instant.EPOCH, taskLanes.closedUntil("a").orElseThrow());
    }

    @Test
    void lanesAreAsTheNaiveOnesWhateverComes() {
        for (int seed = 0; seed < 300; seed++) {
            new Walk(seed).go();
        }
    }

    /** A random walk beside a reference model: lists that are searched from the start each time. */
    private final class Walk {
        private final SplittableRandom random;
        private final int atOnce;
        private final TaskLanes<String> taskLanes;
        private final Map<String, Deque<InFlightTask<String>>> waiting = new HashMap<>();
        private final Map<String, Integer> places = new HashMap<>();
        private final List<InFlightTask<String>> running = new ArrayList<>();

        Walk(int seed) {
            random = new SplittableRandom(seed);
            atOnce = 1 + random.nextInt(3);
            taskLanes = new TaskLanes<>(rule(atOnce), Optional.empty(), 0);
        }

        void go() {
            for (int step = 0; step < 500; step++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> add();
                    case 2, 3 -> next();
                    case 4 -> end();
                    default -> remove();
                }
                assertThat(taskLanes.size())
                        .isEqualTo(
                                waiting.values().stream().mapToInt(Deque::size).sum());
            }
            assertThat(taskLanes.removeAll())
                    .hasSize(waiting.values().stream().mapToInt(Deque::size).sum());
            assertThat(taskLanes.next(0)).isNull();
        }

        private void add() {
            InFlightTask<String> task = task("k" + random.nextInt(4));
            of(task).addLast(task);
            taskLanes.add(task, 0);
        }

        private void next() {
            @Nullable InFlightTask<String> task = taskLanes.next(0);
            if (task == null) {
                assertThat(waiting.entrySet()).allMatch(lane -> lane.getValue().isEmpty() || free(lane.getKey()) == 0);
                return;
            }
            assertThat(task).isSameAs(of(task).removeFirst());
            assertThat(free(task.key())).isPositive();
            places.put(task.key(), free(task.key()) - 1);
            running.add(task);
        }

        private void end() {
            if (running.isEmpty()) {
                return;
            }
            InFlightTask<String> task = running.remove(random.nextInt(running.size()));
            places.put(task.key(), free(task.key()) + 1);
            if (random.nextBoolean()) {
                taskLanes.onSettled(task, 0);
            } else {
                of(task).addFirst(task);
                taskLanes.requeue(task, 0);
            }
        }

        private void remove() {
            List<InFlightTask<String>> all =
                    waiting.values().stream().flatMap(Deque::stream).toList();
            if (!all.isEmpty()) {
                InFlightTask<String> task = all.get(random.nextInt(all.size()));
                of(task).remove(task);
                taskLanes.remove(task);
            }
        }

        private Deque<InFlightTask<String>> of(InFlightTask<String> task) {
            return waiting.computeIfAbsent(task.key(), _ -> new ArrayDeque<>());
        }

        private int free(String key) {
            return places.getOrDefault(key, atOnce);
        }
    }

    private static KeyRule rule(int atOnce) {
        return new KeyRule(_ -> "", atOnce, Optional.empty());
    }

    /** Takes all tasks that may go now, and returns their keys. */
    private static List<String> keys(TaskLanes<String> taskLanes, long now) {
        List<String> keys = new ArrayList<>();
        for (InFlightTask<String> task = taskLanes.next(now); task != null; task = taskLanes.next(now)) {
            keys.add(task.key());
        }
        return keys;
    }

    private InFlightTask<String> task(String key) {
        LeasedTask lease = new LeasedTask(
                QueueKey.of("q"),
                Pid.of("p" + number++),
                Bytes.EMPTY,
                Map.of(),
                7,
                Instant.EPOCH.plusSeconds(60),
                1,
                Instant.EPOCH);
        return new InFlightTask<>(STAGE, keeper.keep(lease), key, 0);
    }
}
