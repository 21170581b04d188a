package io.taskmaster.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SeedsTest {

    private final List<Long> seen = new ArrayList<>();

    /** The seed that is being replayed, if any: these tests clear the property, and must restore it. */
    private final @Nullable String replayed = System.getProperty(Seeds.PROPERTY);

    @BeforeEach
    void forget() {
        System.clearProperty(Seeds.PROPERTY);
    }

    @AfterEach
    void restore() {
        System.clearProperty(Seeds.PROPERTY);
        if (replayed != null) {
            System.setProperty(Seeds.PROPERTY, replayed);
        }
    }

    @Test
    void aTestRunsWithEachSeed() {
        Seeds.each(4, seen::add);
        assertThat(seen).containsExactly(0L, 1L, 2L, 3L);
        assertThat(Seeds.isOne()).isFalse();
    }

    @Test
    void theFirstSeedThatFailsIsNamed() {
        assertThatThrownBy(() -> Seeds.each(10, seed -> {
                    seen.add(seed);
                    assertThat(seed).isLessThan(2);
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed 2 (-Dtaskmaster.seed=2 runs it alone): ")
                .hasCauseInstanceOf(AssertionError.class);
        assertThat(seen).containsExactly(0L, 1L, 2L);
    }

    @Test
    void anExceptionCounts() {
        assertThatThrownBy(() -> Seeds.each(10, seed -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessageContaining("seed 0")
                .hasMessageContaining("broken");
    }

    @Test
    void anErrorCounts() {
        assertThatThrownBy(() -> Seeds.each(10, seed -> {
                    if (seed == 3) {
                        throw new StackOverflowError();
                    }
                }))
                .hasMessageContaining("seed 3")
                .hasMessageContaining("StackOverflowError");
    }

    @Test
    void aSeedIsRunAlone() {
        System.setProperty(Seeds.PROPERTY, "1234");
        Seeds.each(4, seen::add);
        assertThat(seen).containsExactly(1234L);
        assertThat(Seeds.isOne()).isTrue();
    }
}
