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

final class LanesTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final BatchHandler<String> NOTHING = (_, _) -> {};
    private static final Stage<String> STAGE = new Stage<>(
            TaskQueue.of("q", Codec.utf8()), NOTHING, false, List.of(), Optional.empty(), StageSettings.DEFAULT);

    private final LeaseKeeper keeper = new LeaseKeeper(
            (_, _) -> new CompletableFuture<>(), new SimulatedTime(new SplittableRandom(1)), Duration.ofMinutes(1));
    private int number;

    @Test
    void lanesTakeTurns() {
        Lanes<String> lanes = new Lanes<>(rule(10), Optional.empty(), 0);
        for (int i = 0; i < 3; i++) {
            lanes.add(task("a"), 0);
        }
        lanes.add(task("b"), 0);
        lanes.add(task("c"), 0);

        assertThat(keys(lanes, 0)).containsExactly("a", "b", "c", "a", "a");
    }

    @Test
    void rateIsKeptInTheLongRunAndAfterAPause() {
        Lanes<String> lanes = new Lanes<>(KeyRule.NONE, Optional.of(new Rate(10, 5)), 0);
        for (int i = 0; i < 1_000; i++) {
            lanes.add(task(""), 0);
        }

        assertThat(keys(lanes, 0)).hasSize(5);
        assertThat(keys(lanes, SECOND)).hasSize(5);
        assertThat(lanes.opensNanos()).hasValue(SECOND + SECOND / 10);
        int through = 10;
        for (long now = SECOND; now <= 11 * SECOND; now += SECOND / 100) {
            through += keys(lanes, now).size();
        }
        assertThat(through).isEqualTo(10 + 10 * 10);
    }

    @Test
    void slowLaneHoldsUpNoOther() {
        Lanes<String> lanes =
                new Lanes<>(new KeyRule(_ -> "", 10, Optional.of(Rate.perSecond(1))), Optional.empty(), 0);
        lanes.add(task("a"), 0);
        lanes.add(task("a"), 0);
        lanes.add(task("b"), 0);

        assertThat(keys(lanes, 0)).containsExactly("a", "b");
        assertThat(lanes.opensNanos()).hasValue(SECOND);
        assertThat(keys(lanes, SECOND - 1)).isEmpty();
        assertThat(keys(lanes, SECOND)).containsExactly("a");
        assertThat(lanes.opensNanos()).isEmpty();
    }

    @Test
    void busyLanesKeepTheirSharesAndLeaveOneToOthers() {
        Lanes<String> lanes = new Lanes<>(rule(1), Optional.empty(), 0);
        for (int i = 0; i < 10; i++) {
            lanes.add(task("a"), 0);
            lanes.add(task("b"), 0);
        }
        assertThat(lanes.areBlocked()).as("two may go").isFalse();
        assertThat(keys(lanes, 0)).containsExactly("a", "b");
        assertThat(lanes.areBlocked()).isTrue();

        Map<Held<String>, Instant> crowd = lanes.removeCrowd(9, _ -> Instant.EPOCH, 0);
        assertThat(crowd.keySet()).extracting(Held::key).hasSize(2 * (9 - 3)).contains("a", "b");
        assertThat(crowd.values()).containsOnly(Instant.EPOCH.plus(Lanes.FIRST_CLOSED));
        assertThat(lanes.size()).isEqualTo(2 * 3);
        assertThat(lanes.closedUntil("a")).contains(Instant.EPOCH.plus(Lanes.FIRST_CLOSED));
        assertThat(lanes.closedUntil("c")).isEmpty();
        assertThat(lanes.removeCrowd(9, _ -> Instant.EPOCH, 0)).isEmpty();
    }

    @Test
    void laneThatIsNotWorkedOffIsClosedForLongerAndOneThatIsForLess() {
        Lanes<String> lanes = new Lanes<>(rule(1), Optional.empty(), 0);
        lanes.add(task("a"), 0);
        Held<String> first = requireNonNull(lanes.next(0));
        assertThat(closedFor(lanes)).isEqualTo(Lanes.FIRST_CLOSED);
        assertThat(closedFor(lanes)).isEqualTo(Lanes.FIRST_CLOSED.multipliedBy(2));
        for (int i = 0; i < 20; i++) {
            closedFor(lanes);
        }
        assertThat(closedFor(lanes)).isEqualTo(Lanes.MOST_CLOSED);

        for (int i = 0; i < 20; i++) {
            while (lanes.size() > 0) {
                lanes.over(first, 0);
                first = requireNonNull(lanes.next(0));
            }
            closedFor(lanes);
        }
        assertThat(lanes.closedUntil("a")).contains(Instant.EPOCH.plus(Lanes.LEAST_CLOSED));
    }

    private Duration closedFor(Lanes<String> lanes) {
        for (int i = 0; i < 10; i++) {
            lanes.add(task("a"), 0);
        }
        assertThat(lanes.removeCrowd(4, _ -> Instant.EPOCH, 0)).isNotEmpty();
        return Duration.between(Instant.EPOCH, lanes.closedUntil("a").orElseThrow());
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
        private final Lanes<String> lanes;
        private final Map<String, Deque<Held<String>>> waiting = new HashMap<>();
        private final Map<String, Integer> places = new HashMap<>();
        private final List<Held<String>> running = new ArrayList<>();

        Walk(int seed) {
            random = new SplittableRandom(seed);
            atOnce = 1 + random.nextInt(3);
            lanes = new Lanes<>(rule(atOnce), Optional.empty(), 0);
        }

        void go() {
            for (int step = 0; step < 500; step++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> add();
                    case 2, 3 -> next();
                    case 4 -> end();
                    default -> remove();
                }
                assertThat(lanes.size())
                        .isEqualTo(
                                waiting.values().stream().mapToInt(Deque::size).sum());
            }
            assertThat(lanes.removeAll())
                    .hasSize(waiting.values().stream().mapToInt(Deque::size).sum());
            assertThat(lanes.next(0)).isNull();
        }

        private void add() {
            Held<String> task = task("k" + random.nextInt(4));
            of(task).addLast(task);
            lanes.add(task, 0);
        }

        private void next() {
            @Nullable Held<String> task = lanes.next(0);
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
            Held<String> task = running.remove(random.nextInt(running.size()));
            places.put(task.key(), free(task.key()) + 1);
            if (random.nextBoolean()) {
                lanes.over(task, 0);
            } else {
                of(task).addFirst(task);
                lanes.addAgain(task, 0);
            }
        }

        private void remove() {
            List<Held<String>> all =
                    waiting.values().stream().flatMap(Deque::stream).toList();
            if (!all.isEmpty()) {
                Held<String> task = all.get(random.nextInt(all.size()));
                of(task).remove(task);
                lanes.remove(task);
            }
        }

        private Deque<Held<String>> of(Held<String> task) {
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
    private static List<String> keys(Lanes<String> lanes, long now) {
        List<String> keys = new ArrayList<>();
        for (Held<String> task = lanes.next(now); task != null; task = lanes.next(now)) {
            keys.add(task.key());
        }
        return keys;
    }

    private Held<String> task(String key) {
        LeasedTask lease = new LeasedTask(
                QueueKey.of("q"),
                Pid.of("p" + number++),
                Bytes.EMPTY,
                Map.of(),
                7,
                Instant.EPOCH.plusSeconds(60),
                1,
                Instant.EPOCH);
        return new Held<>(STAGE, keeper.keep(lease), key, 0);
    }
}
