package io.taskmaster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeMapperTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 1_500_000_000, -1_500_000_000, -1_000_000_000, Long.MAX_VALUE})
    void spansSurvive(long nanos) {
        Duration span = Duration.ofNanos(nanos);
        com.google.protobuf.Duration proto = TimeMapper.toProto(span);
        assertThat(TimeMapper.toDuration(proto)).isEqualTo(span);
        assertThat((long) Integer.signum(proto.getNanos()) * Long.signum(proto.getSeconds()))
                .isNotNegative();
    }

    @Test
    void instantsSurviveAlsoBefore1970() {
        for (Instant instant :
                new Instant[] {Instant.EPOCH, Instant.ofEpochSecond(-1, 1), Instant.ofEpochSecond(5, 6)}) {
            assertThat(TimeMapper.toInstant(TimeMapper.toProto(instant))).isEqualTo(instant);
        }
    }
}
