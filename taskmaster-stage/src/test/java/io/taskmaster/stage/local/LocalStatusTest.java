package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.local.admission.AdmissionCheck;
import io.taskmaster.stage.local.admission.AdmissionRule;
import io.taskmaster.stage.local.admission.Candidate;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the status of a local stage. */
final class LocalStatusTest extends SomeStages {

    @Test
    void dropsAreCountedByTheirCause() {
        LocalStage<String> stage = stages.add(
                "s",
                s -> s.handler(_ -> {
                            throw new IllegalStateException("broken");
                        })
                        .boundary(2, b -> b.serviceClass(SomeStages::classOf).overflow(Overflow.shed())));
        stage.offer("bulk0");
        stage.offer("bulk1");
        stage.offer("quick");
        world.work();
        stage.offer("late");
        var _ = stage.drain(SHORT);
        world.pass(SHORT.plusMillis(1));
        assertThat(stage.status().drops())
                .containsOnlyKeys(Drop.Cause.values())
                .containsEntry(Drop.Cause.SHED, 1L)
                .containsEntry(Drop.Cause.FAILED, 2L)
                .containsEntry(Drop.Cause.CLOSED, 1L)
                .containsEntry(Drop.Cause.CANCELLED, 0L);
        assertThat(stage.status().dropped()).isEqualTo(4);
        assertThat(stage.status().dropped(Drop.Cause.FAILED)).isEqualTo(2);
    }

    @Test
    void refusalsAreCountedByTheirCause() {
        LocalStage<String> stage =
                bounded(10, b -> b.cost(String::length).admission(_ -> candidate -> candidate.cost() != 3));
        stage.offer("too much of it");
        stage.offer("nay");
        stage.offer("nay");
        stage.offer("six of ten");
        stage.offer("a");
        var _ = stage.drain(SHORT);
        stage.offer("a");
        assertThat(stage.status().refusals())
                .isEqualTo(Map.of(
                        Cause.TOO_LARGE,
                        1L,
                        Cause.NOT_ADMITTED,
                        2L,
                        Cause.FULL,
                        1L,
                        Cause.CLOSED,
                        1L,
                        Cause.INTERRUPTED,
                        0L));
        assertThat(stage.status().refused()).isEqualTo(5);
        assertThat(stage.status().refused(Cause.NOT_ADMITTED)).isEqualTo(2);
    }

    @Test
    void stageWithoutABoundaryRefusesBecauseItIsClosed() {
        LocalStage<String> stage = stages.add("s", s -> s.handler(handled::add));
        var _ = stage.drain(SHORT);
        Admission admission = stage.offer("a");
        assertThat(causeOf(admission)).isEqualTo(Cause.CLOSED);
        assertThat(stage.status().refused(Cause.CLOSED)).isEqualTo(1);
        assertThat(stage.status().limits()).isEmpty();
    }

    @Test
    void limitsAreThoseOfTheAdmissionRuleNow() {
        LocalStage<String> stage = bounded(10, b -> b.admission(AdmissionRule.tokenBucket(new Rate(100, 5))));
        stage.offer("a");
        stage.offer("b");
        assertThat(stage.status().limits()).isEqualTo(Map.of("rate", 100.0, "burst", 5.0, "tokens", 3.0));
        world.pass(Duration.ofMillis(10));
        assertThat(stage.status().limits()).containsEntry("tokens", 4.0);
    }

    @Test
    void ruleThatCannotSayItsLimitsHidesNothingElse() {
        AdmissionCheck mute = new AdmissionCheck() {
            @Override
            public boolean admits(Candidate candidate) {
                return true;
            }

            @Override
            public Map<String, Double> limits(long nowNanos) {
                throw new IllegalStateException("mute");
            }
        };
        LocalStage<String> stage = bounded(10, b -> b.admission(_ -> mute));
        stage.offer("a");
        assertThat(stage.status().waiting()).isEqualTo(1);
        assertThat(stage.status().limits()).isEmpty();
    }
}
