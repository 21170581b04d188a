package io.taskmaster.harness.chaos.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ConservationTest {

    @Test
    void everyTokenOnceAndNothingLeftIsRight() {
        assertThat(Conservation.of(3, List.of("token-2", "token-0", "token-1"), List.of())
                        .wrong())
                .isEmpty();
    }

    @Test
    void whatIsMissingDoubledUnknownOrLeftIsNamed() {
        assertThat(Conservation.of(3, List.of("token-1", "token-1", "token-2", "side"), List.of("amber/q1: 1 leased"))
                        .wrong())
                .containsExactly(
                        "1 lost: token-0",
                        "1 duplicated: token-1 (2 times)",
                        "1 unexpected: side",
                        "1 left over: amber/q1: 1 leased");
    }

    @Test
    void ofManyOnlySomeAreNamed() {
        assertThat(Conservation.of(100, List.of(), List.of()).wrong())
                .singleElement()
                .asString()
                .startsWith("100 lost: token-0, ")
                .endsWith(", ...");
    }
}
