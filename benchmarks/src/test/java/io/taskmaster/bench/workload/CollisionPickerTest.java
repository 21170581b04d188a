package io.taskmaster.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CollisionPickerTest {

    private static final int DRAWS = 100_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 50, 90, 99, 100})
    void collidesAsOftenAsAsked(int percent) {
        CollisionPicker picker = new CollisionPicker(percent, 7);
        long collisions =
                IntStream.range(0, DRAWS).filter(_ -> picker.collides()).count();
        assertThat(100.0 * collisions / DRAWS).isCloseTo(percent, within(percent % 100 == 0 ? 0.0 : 0.5));
    }

    @Test
    void percentagesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new CollisionPicker(101, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CollisionPicker(-1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
