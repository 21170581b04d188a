package io.taskmaster.server.insight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.taskmaster.command.Counts;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply.Description;
import io.taskmaster.command.Reply.Summary;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.rank.BusiestQueues.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests of {@link QueueSteps}: what it derives from a queue at two looks, compared with what happened. */
final class QueueStepsTest {

    private static final QueueKey QUEUE = QueueKey.of("g", "q");
    private static final int STEP_MILLIS = 10_000;
    private static final int SECOND = 1_000;

    private final QueueSteps steps = new QueueSteps();

    /** The times of the enqueues since the queue is in memory. */
    private final List<Integer> enqueuedAtMillis = new ArrayList<>();

    private int nowMillis;

    @Test
    void whatComesBetweenTwoLooksIsCountedHoweverItComes() {
        Random random = new Random(1);
        look();
        for (int step = 0; step < 100; step++) {
            int tasks = random.nextInt(300);
            enqueueWithin(tasks, 1 + random.nextInt(STEP_MILLIS));
            assertThat(look().enqueued()).isEqualTo(tasks);
        }
    }

    @Test
    void nothingIsCountedOnceNothingHappens() {
        enqueueWithin(100_000, STEP_MILLIS);
        look();
        nowMillis += STEP_MILLIS;
        assertThat(look().enqueued()).isZero();
    }

    @Test
    void aLateLookMakesUpForOneThatFailed() {
        look();
        enqueueWithin(700, 3 * STEP_MILLIS);
        Point late = look(3 * STEP_MILLIS);
        assertThat(late.enqueued()).isEqualTo(700);
        assertThat(late.perSecond(late.enqueued())).isEqualTo(700 / 30.0);
    }

    @Test
    void aQueueThatBeganSinceTheLookBeforeIsCountedAsItIs() {
        lookAtNothing();
        enqueueWithin(300, STEP_MILLIS);
        assertThat(look().enqueued()).isEqualTo(300);
    }

    @Test
    void aBurstAtOnceAfterTheLookBeforeIsCountedToo() {
        lookAtNothing();
        enqueueWithin(300, 1);
        nowMillis += STEP_MILLIS - 1;
        assertThat(look().enqueued()).isEqualTo(300);
    }

    @Test
    void aQueueThatWasTooIdleToBeSeenIsTakenToHaveGoneAsInTheLastMinute() {
        lookAtNothing();
        enqueueWithin(60_000, 60 * STEP_MILLIS);
        assertThat(look().enqueued()).isCloseTo(1_000, withinPercentage(1));
        enqueueWithin(3, SECOND);
        assertThat(look().enqueued()).as("seen before").isEqualTo(3);
    }

    @Test
    void aQueueThatWasForgottenMeanwhileCountsFromZero() {
        enqueueWithin(1_000, STEP_MILLIS);
        look();
        enqueuedAtMillis.clear();
        enqueueWithin(20, STEP_MILLIS);
        assertThat(look().enqueued()).isEqualTo(20);
    }

    @Test
    void sizesAndAgeAreThoseOfTheLook() {
        look();
        assertThat(look()).isEqualTo(new Point(7, STEP_MILLIS, 1, 2, 3, 4, 0, 0, 0, 0));
    }

    private void enqueueWithin(int tasks, int millis) {
        for (int i = 0; i < tasks; i++) {
            enqueuedAtMillis.add(nowMillis + (int) ((long) i * millis / tasks));
        }
        nowMillis += millis;
    }

    private void lookAtNothing() {
        assertThat(steps.next(Found.EMPTY, idle(STEP_MILLIS))).isEmpty();
    }

    private Point look() {
        return look(STEP_MILLIS);
    }

    private Point look(int spanMillis) {
        double weight = enqueuedAtMillis.stream()
                .mapToDouble(at -> Math.exp((at - nowMillis) / Description.RATE_WINDOW_MILLIS))
                .sum();
        Description queue = new Description(
                new Summary(QUEUE, 1, 2, 3),
                weight / (Description.RATE_WINDOW_MILLIS / SECOND),
                0,
                0,
                Optional.empty(),
                Optional.of(4L),
                new Counts(enqueuedAtMillis.size(), 0, 0, 9),
                1,
                QueueOptions.NONE,
                List.of());
        Map<QueueKey, Point> happened = steps.next(new Found(List.of(queue), Map.of()), idle(spanMillis));
        return happened.getOrDefault(QUEUE, Point.idle(0, spanMillis));
    }

    private static Point idle(int spanMillis) {
        return Point.idle(7, spanMillis);
    }
}
