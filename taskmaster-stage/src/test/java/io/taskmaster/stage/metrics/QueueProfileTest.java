package io.taskmaster.stage.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class QueueProfileTest {

    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final SimulatedTime time = new SimulatedTime(new SplittableRandom(1));
    private final Map<String, Long> lengths = new HashMap<>();
    private Supplier<CompletableFuture<Map<String, Long>>> answer = () -> CompletableFuture.completedFuture(lengths);
    private int calls;

    private final QueueProfile profile = new QueueProfile(this::lengths, INTERVAL, time);

    private CompletableFuture<Map<String, Long>> lengths() {
        calls++;
        return answer.get();
    }

    @Test
    void itShowsEachQueueOverTime() {
        lengths.put("fetch", 3L);
        profile.next();
        lengths.put("fetch", 5L);
        lengths.put("say \"hi\"", 1L);
        time.run(INTERVAL);
        profile.close();
        time.run(INTERVAL);

        assertThat(profile.csv()).isEqualTo("seconds,\"fetch\",\"say \"\"hi\"\"\"\n0.000,3,\n0.100,5,1\n");
    }

    @Test
    void aLongTimeIsShownMoreCoarsely() {
        lengths.put("fetch", 1L);
        profile.next();
        Duration span = INTERVAL.multipliedBy(QueueProfile.MOST_ROWS * 3L);
        time.run(span);

        assertThat(profile.rows()).hasSizeBetween(QueueProfile.MOST_ROWS / 2, QueueProfile.MOST_ROWS - 1);
        assertThat(profile.rows().getFirst().at()).isEqualTo(Duration.ZERO);
        assertThat(profile.rows().getLast().at()).isGreaterThan(span.minus(INTERVAL.multipliedBy(5)));
        assertThat(calls).isLessThan(QueueProfile.MOST_ROWS * 5 / 2);
    }

    @Test
    void aCallThatFailsLeavesAGap() {
        profile.next();
        for (Supplier<CompletableFuture<Map<String, Long>>> failure : failures()) {
            answer = failure;
            time.run(INTERVAL);
        }
        answer = () -> CompletableFuture.completedFuture(lengths);
        time.run(INTERVAL);

        assertThat(profile.rows())
                .extracting(QueueProfile.Row::at)
                .containsExactly(Duration.ZERO, INTERVAL.multipliedBy(3));
    }

    private static List<Supplier<CompletableFuture<Map<String, Long>>>> failures() {
        return List.of(() -> CompletableFuture.failedFuture(new IllegalStateException("later")), () -> {
            throw new IllegalStateException("at once");
        });
    }

    @Test
    void aCallThatTakesLongerLeavesAGapAndIsAloneMeanwhile() {
        CompletableFuture<Map<String, Long>> slow = new CompletableFuture<>();
        answer = () -> slow;
        profile.next();
        time.run(INTERVAL.multipliedBy(7).dividedBy(2));
        assertThat(calls).isEqualTo(1);

        answer = () -> CompletableFuture.completedFuture(lengths);
        slow.complete(lengths);
        assertThat(profile.rows()).isEmpty();
        time.run(INTERVAL);
        assertThat(profile.rows()).extracting(QueueProfile.Row::at).containsExactly(INTERVAL.multipliedBy(4));
    }

    @Test
    void rowsAreAnIntervalApartHoweverLongTheirCallsTake() {
        answer = () -> {
            CompletableFuture<Map<String, Long>> reply = new CompletableFuture<>();
            time.schedule(() -> reply.complete(lengths), INTERVAL.dividedBy(2).toNanos());
            return reply;
        };
        profile.next();
        time.run(INTERVAL.multipliedBy(3));

        assertThat(profile.rows())
                .extracting(QueueProfile.Row::at)
                .containsExactly(Duration.ZERO, INTERVAL, INTERVAL.multipliedBy(2));
    }

    @Test
    void anAnswerAfterTheEndIsNoRow() {
        CompletableFuture<Map<String, Long>> slow = new CompletableFuture<>();
        answer = () -> slow;
        profile.next();
        profile.close();
        slow.complete(lengths);
        time.run(INTERVAL);

        assertThat(profile.rows()).isEmpty();
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void theQueuesOfLocalStages() {
        CountDownLatch busy = new CountDownLatch(1);
        try (LocalStages stages = LocalStages.start();
                QueueProfile ofStages = QueueProfile.of(stages, Duration.ofMillis(1))) {
            LocalStage<String> stage =
                    stages.add("render", s -> s.handler(_ -> busy.await()).boundary(10, boundary -> boundary));
            for (int i = 0; i < 4; i++) {
                assertThat(stage.offer("event").isTaken()).isTrue();
            }
            await().until(() -> ofStages.rows().getLast().lengths().getOrDefault("render", 0L) == 3);
            busy.countDown();
            await().until(() -> ofStages.rows().getLast().lengths().getOrDefault("render", 1L) == 0);
        }
    }

    @Test
    void anIntervalThatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> new QueueProfile(this::lengths, Duration.ZERO, time))
                .hasMessageContaining("interval: PT0S");
    }
}
