package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.local.BlockingCycle.Place;
import io.taskmaster.stage.local.BlockingCycle.Way;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class BlockingCycleTest {

    private static final Place BLOCKS_A = new Place(true, Way.BLOCK, Set.of("a"));

    @Test
    void circleOfStagesThatBlockIsFound() {
        assertThat(BlockingCycle.in(Map.of("a", new Place(true, Way.BLOCK, Set.of("b")), "b", BLOCKS_A)))
                .hasSize(3)
                .satisfies(path -> assertThat(path.getFirst()).isEqualTo(path.getLast()));
        assertThat(BlockingCycle.in(Map.of("a", BLOCKS_A))).containsExactly("a", "a");
    }

    @Test
    void callsInBetweenBlockAsWell() {
        assertThat(BlockingCycle.in(Map.of(
                        "a", new Place(true, Way.BLOCK, Set.of("b")), "b", new Place(true, Way.CALL, Set.of("a")))))
                .containsExactly("a", "b", "a");
    }

    @Test
    void oneThatRefusesBreaksIt() {
        assertThat(BlockingCycle.in(Map.of(
                        "a", new Place(true, Way.BLOCK, Set.of("b")), "b", new Place(true, Way.FREE, Set.of("a")))))
                .isEmpty();
    }

    @Test
    void callsInACircleAreTheCallersBusiness() {
        assertThat(BlockingCycle.in(Map.of("a", new Place(true, Way.CALL, Set.of("a")))))
                .isEmpty();
    }

    @Test
    void deadEndsAndUnknownStagesAreNoCircle() {
        assertThat(BlockingCycle.in(Map.of(
                        "a", new Place(true, Way.BLOCK, Set.of("b", "c", "later")),
                        "b", new Place(true, Way.BLOCK, Set.of("c")),
                        "c", new Place(true, Way.BLOCK, Set.of()))))
                .isEqualTo(List.of());
    }
}
