package io.taskmaster.server.store.hbase.settings;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class StoreLimitsTest {

    @Test
    void nothingMayBeWithoutAnything() {
        assertThatThrownBy(() -> limits(Duration.ZERO, 1))
                .hasMessage("callTimeout: PT0S (expected: at least a millisecond)");
        assertThatThrownBy(() -> limits(Duration.ofNanos(1), 1)).hasMessageStartingWith("callTimeout: ");
        assertThatThrownBy(() -> limits(Duration.ofSeconds(1), 0))
                .hasMessage("callsInFlight: 0 (expected: at least 1)");
    }

    private static StoreLimits limits(Duration callTimeout, int callsInFlight) {
        StoreLimits defaults = StoreLimits.HBASE;
        return new StoreLimits(
                defaults.startTimeout(),
                callTimeout,
                defaults.readTimeout(),
                defaults.inFlightBytes(),
                defaults.inFlightRows(),
                callsInFlight,
                defaults.batchBytes(),
                defaults.batchesInFlight());
    }
}
