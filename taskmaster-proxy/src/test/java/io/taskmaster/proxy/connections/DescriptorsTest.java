package io.taskmaster.proxy.connections;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.proxy.config.ConnectionLimits;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests of {@link Descriptors}. */
final class DescriptorsTest {

    @Test
    void theStoreKeepsHalfOfTheDescriptors() {
        var auto = new ConnectionLimits(OptionalInt.empty(), 10);
        assertThat(Descriptors.connectionsPerPort(auto, 1L << 20)).isEqualTo(Descriptors.AUTO_CONNECTIONS);
        assertThat(Descriptors.connectionsPerPort(auto, 1_024)).isEqualTo(256);
        assertThat(Descriptors.connectionsPerPort(new ConnectionLimits(OptionalInt.of(20_000), 10), 65_536))
                .isEqualTo(16_384);
        assertThat(Descriptors.connectionsPerPort(new ConnectionLimits(OptionalInt.of(20_000), 10), 1L << 20))
                .isEqualTo(20_000);
    }
}
