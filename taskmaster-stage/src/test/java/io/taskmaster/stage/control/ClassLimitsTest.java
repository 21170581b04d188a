package io.taskmaster.stage.control;

import static io.taskmaster.client.ServiceClass.BULK;
import static io.taskmaster.client.ServiceClass.INTERACTIVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class ClassLimitsTest {

    private static final ClassLimits LIMITS =
            ClassLimits.of(Map.of(INTERACTIVE, Duration.ofMillis(100), BULK, Duration.ofSeconds(1)));

    private static final Offset<Double> NEARLY = Offset.offset(0.001);

    private static ClassSample answered(double perSecond, int slowMillis) {
        return new ClassSample(perSecond, Duration.ofMillis(slowMillis).toNanos());
    }

    @Test
    void whatIsInTimeIsNotLimited() {
        ClassLimits after = LIMITS.after(Map.of(INTERACTIVE, answered(1_000, 70), BULK, answered(1_000, 700)));
        assertThat(after.perSecond(INTERACTIVE)).isEqualTo(ClassLimits.NO_LIMIT);
        assertThat(after.perSecond(BULK)).isEqualTo(ClassLimits.NO_LIMIT);
    }

    @Test
    void aClassThatIsLateIsLetInMoreSlowlyThanItIsAnswered() {
        ClassLimits after = LIMITS.after(Map.of(BULK, answered(1_000, 1_400)));
        assertThat(after.perSecond(BULK)).isCloseTo(500, NEARLY);
        assertThat(after.perSecond(INTERACTIVE)).isEqualTo(ClassLimits.NO_LIMIT);
    }

    @Test
    void whenABetterClassIsLateTheOtherIsCutToHalf() {
        ClassLimits after = LIMITS.after(Map.of(INTERACTIVE, answered(500, 140), BULK, answered(1_000, 10)));
        assertThat(after.perSecond(INTERACTIVE)).isCloseTo(250, NEARLY);
        assertThat(after.perSecond(BULK)).isEqualTo(500);
    }

    @Test
    void whenAllAreInTimeAgainLimitsRiseFastToWhereTheyAreSafe() {
        ClassLimits limits = LIMITS.after(Map.of(INTERACTIVE, answered(1_000, 280)));
        assertThat(limits.perSecond(INTERACTIVE)).isCloseTo(250, NEARLY);
        limits = limits.after(Map.of(INTERACTIVE, answered(250, 10)));
        assertThat(limits.perSecond(INTERACTIVE)).isCloseTo(500, NEARLY);
        limits = limits.after(Map.of(INTERACTIVE, answered(500, 10)));
        assertThat(limits.perSecond(INTERACTIVE)).isCloseTo(525, NEARLY);
    }

    @Test
    void someAreLetInAlways() {
        ClassLimits limits = LIMITS;
        for (int i = 0; i < 100; i++) {
            limits = limits.after(Map.of(INTERACTIVE, answered(limits.perSecond(INTERACTIVE) / 2, 10_000)));
        }
        assertThat(limits.perSecond(INTERACTIVE)).isEqualTo(1);
        assertThat(limits.perSecond(BULK)).isEqualTo(1);
    }

    @Test
    void targetsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> ClassLimits.of(Map.of())).hasMessageContaining("targets");
        assertThatThrownBy(() -> ClassLimits.of(Map.of(BULK, Duration.ZERO))).hasMessageContaining("targets");
    }

    @Test
    void aClassOfWhichNothingWasAnsweredForAMomentIsNotForgotten() {
        ClassLimits limits = LIMITS.after(Map.of(INTERACTIVE, answered(500, 140), BULK, answered(1_000, 10)));
        assertThat(limits.after(Map.of(INTERACTIVE, answered(250, 140))).perSecond(BULK))
                .isEqualTo(250);
    }
}
