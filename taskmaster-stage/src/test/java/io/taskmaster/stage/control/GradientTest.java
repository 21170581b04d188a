package io.taskmaster.stage.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GradientTest {

    private static ModelStage stage(ModelStage.Service service) {
        return new ModelStage(_ -> 4_000, service, 2_000, Controller.gradient(1, 64), ModelStage.fixed(1), 1);
    }

    @Test
    void whileHandlersAreAsFastAsUsualThereAreMoreAndMore() {
        ModelStage stage = stage((_, _, _, _) -> 0.020);
        double _ = stage.run(30);
        assertThat(stage.workersPerStep.getLast()).isEqualTo(64);
    }

    @Test
    void whenWhatTheyCallGetsSlowThereAreFewer() {
        ModelStage stage = stage((now, _, _, _) -> now < 30 ? 0.020 : 0.100);
        double _ = stage.run(30);
        double _ = stage.run(3);
        assertThat(stage.workersPerStep.getLast()).isLessThan(40);
    }

    /** Has a downstream that can take twelve calls at once: with more, all get slower. */
    @Test
    void itStaysNearWhatIsBehindItCanTake() {
        ModelStage stage = stage((_, atWork, _, _) -> 0.020 * Math.max(1, Math.pow(atWork / 12.0, 2)));
        double _ = stage.run(30);
        double rate = stage.run(30);
        assertThat(rate).isGreaterThan(0.6 * 12 / 0.020);
        assertThat(stage.workersPerStep).allMatch(workers -> workers <= 30);
    }

    @Test
    void aLimitThatIsNotUsedStaysAsItIs() {
        ModelStage stage = new ModelStage(
                _ -> 50, (_, _, _, _) -> 0.020, 2_000, Controller.gradient(4, 64), ModelStage.fixed(1), 1);
        double _ = stage.run(30);
        assertThat(stage.workersPerStep.getLast()).isLessThan(8);
    }

    @Test
    void handlersThatTakeLongerThanALookAreNoneTheWorse() {
        ModelStage stage = stage((_, atWork, _, _) -> 2 * Math.max(1, Math.pow(atWork / 12.0, 2)));
        double _ = stage.run(600);
        double _ = stage.run(600);
        assertThat(stage.workersPerStep).allMatch(workers -> workers <= 48);
    }
}
