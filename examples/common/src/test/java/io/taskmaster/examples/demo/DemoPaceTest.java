package io.taskmaster.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.stage.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DemoPaceTest {

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.001, 15, 1e6})
    void everyProcessHasARateThatWorkersAccept(double perSecond) {
        double share = new DemoPace(perSecond).of(100);
        assertThat(Rate.perSecond(share).perSecond()).isEqualTo(share);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, 1e-7, 0.0009, 1e7, Double.NaN})
    void otherPacesAreRefused(double perSecond) {
        assertThatThrownBy(() -> new DemoPace(perSecond))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--pace: %s (expected: 0, for no limit, or 0.001 to 1000000)", perSecond);
    }

    @Test
    void theProcessesShareThePace() {
        assertThat(new DemoPace(15).of(3)).isEqualTo(5);
    }
}
