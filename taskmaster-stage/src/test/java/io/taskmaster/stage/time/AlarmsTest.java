package io.taskmaster.stage.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.Sink;
import io.taskmaster.stage.time.Alarm.End;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AlarmsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SimulatedTime time = new SimulatedTime(new SplittableRandom(1));
    private final Alarms alarms = Alarms.start(time, Runnable::run, 3);
    private final List<String> events = new ArrayList<>();
    private Admission admission = Taken.ACCEPTED;
    private final Sink<String> sink = event -> {
        events.add(event + " at " + Duration.ofNanos(time.nanoTime()).toMillis());
        return admission;
    };

    @Test
    void eventComesAfterItsDelayAndOnce() {
        Alarm late = alarms.after(SECOND.multipliedBy(2), "late", sink);
        Alarm early = alarms.after(SECOND, "early", sink);
        time.run(Duration.ofHours(1));
        assertThat(events).containsExactly("early at 1000", "late at 2000");
        assertThat(List.of(early.ended().join(), late.ended().join())).containsOnly(End.DELIVERED);
        assertThat(alarms.size()).isZero();
    }

    @Test
    void eventComesEverySoOftenUntilCancelled() {
        Alarm alarm = alarms.every(SECOND, "tick", sink);
        time.run(Duration.ofMillis(3_500));
        assertThat(alarm.cancel()).isTrue();
        assertThat(alarm.cancel()).isFalse();
        time.run(Duration.ofHours(1));
        assertThat(events).containsExactly("tick at 1000", "tick at 2000", "tick at 3000");
        assertThat(alarm.ended()).isCompletedWithValue(End.CANCELLED);
        assertThat(alarm.skipped()).isZero();
    }

    @Test
    void theTimerIsSetOnceForADistantAlarmHoweverOftenANearerOneComes() {
        AtomicInteger set = new AtomicInteger();
        Timer counted = new Timer() {
            @Override
            public long nanoTime() {
                return time.nanoTime();
            }

            @Override
            public Instant now() {
                return time.now();
            }

            @Override
            public void schedule(Runnable task, long delayNanos) {
                set.incrementAndGet();
                time.schedule(task, delayNanos);
            }
        };
        Alarms two = Alarms.start(counted, Runnable::run, 2);
        Alarm distant = two.after(Duration.ofHours(1), "distant", sink);
        Alarm tick = two.every(SECOND, "tick", sink);
        time.run(SECOND.multipliedBy(100));
        assertThat(set).hasValueLessThanOrEqualTo(102);
        assertThat(tick.cancel()).isTrue();
        time.run(Duration.ofHours(1));
        assertThat(distant.ended()).isCompletedWithValue(End.DELIVERED);
    }

    @Test
    void sinkThatHasNoRoomIsAskedAgain() {
        admission = new Refused(Cause.FULL, Duration.ofMillis(300));
        Alarm alarm = alarms.after(SECOND, "event", sink);
        time.run(Duration.ofMillis(1_500));
        admission = Taken.ACCEPTED;
        time.run(SECOND);
        assertThat(events).containsExactly("event at 1000", "event at 1300", "event at 1600");
        assertThat(alarm.ended()).isCompletedWithValue(End.DELIVERED);
    }

    @Test
    void ticksDoNotPileUpBeforeASinkThatHasNoRoom() {
        admission = new Refused(Cause.FULL, Duration.ofMillis(600));
        Alarm alarm = alarms.every(SECOND, "tick", sink);
        time.run(Duration.ofMillis(2_500));
        admission = Taken.ACCEPTED;
        time.run(SECOND);
        assertThat(events)
                .containsExactly("tick at 1000", "tick at 1600", "tick at 2000", "tick at 2600", "tick at 3000");
        assertThat(alarm.skipped()).isEqualTo(1);
    }

    @Test
    void sinkThatWillNeverTakeAnEventEndsTheAlarm() {
        admission = new Refused(Cause.CLOSED, SECOND);
        Alarm alarm = alarms.every(SECOND, "tick", sink);
        time.run(Duration.ofHours(1));
        assertThat(events).hasSize(1);
        assertThat(alarm.ended()).isCompletedWithValue(End.REFUSED);
    }

    @Test
    void sinkThatFailsEndsItsAlarmAndNoOther() {
        Alarm failing = alarms.after(SECOND, "event", _ -> {
            throw new IllegalStateException("broken");
        });
        alarms.after(SECOND, "other", sink);
        time.run(SECOND);
        assertThat(failing.ended()).isCompletedWithValue(End.FAILED);
        assertThat(events).hasSize(1);
    }

    @Test
    void thereAreSoManyAtOnceAndACancelledOneMakesRoom() {
        Alarm first = alarms.after(SECOND, "a", sink);
        alarms.after(SECOND, "b", sink);
        alarms.every(SECOND, "c", sink);
        assertThatIllegalStateException()
                .isThrownBy(() -> alarms.after(SECOND, "d", sink))
                .withMessage("alarms: 3 set (expected: fewer than 3)");
        first.cancel();
        alarms.after(SECOND, "d", sink);
        assertThat(alarms.size()).isEqualTo(3);
        assertThatIllegalArgumentException().isThrownBy(() -> alarms.every(Duration.ZERO, "e", sink));
        assertThatIllegalArgumentException().isThrownBy(() -> alarms.after(Alarms.LONGEST.plusNanos(1), "e", sink));
    }

    @Test
    void nothingComesAfterClosing() {
        Alarm inLine = alarms.after(SECOND, "a", sink);
        Alarm ringing = alarms.every(Duration.ofMillis(10), "b", event -> {
            alarms.close();
            return sink.offer(event);
        });
        time.run(Duration.ofHours(1));
        assertThat(events).containsExactly("b at 10");
        assertThat(inLine.ended()).isCompletedWithValue(End.CLOSED);
        assertThat(ringing.ended()).isCompletedWithValue(End.CLOSED);
        assertThatIllegalStateException()
                .isThrownBy(() -> alarms.after(SECOND, "c", sink))
                .withMessageContaining("closed");
    }

    @Test
    void realOnesComeOnTimeThoughASinkBlocks() {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        try (Alarms real = Alarms.start()) {
            real.after(Duration.ofMillis(1), "blocked", _ -> {
                await().until(() -> seen.contains("other"));
                seen.add("done");
                return Taken.ACCEPTED;
            });
            real.after(Duration.ofMillis(20), "other", event -> {
                seen.add(event);
                return Taken.ACCEPTED;
            });
            await().until(() -> seen.contains("done"));
        }
    }
}
