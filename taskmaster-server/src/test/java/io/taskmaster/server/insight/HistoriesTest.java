package io.taskmaster.server.insight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the choice and the eviction of histories. */
final class HistoriesTest {

    private static final Point IDLE = busy(0);

    private final Histories<String> histories = new Histories<>(2, _ -> false, false);

    @Test
    void theBusiestHaveOne() {
        histories.add(Map.of("a", busy(1), "b", busy(3), "c", busy(2)), IDLE);
        assertKept("b", "c");
    }

    @Test
    void whoIsALittleBusierTakesNobodysPlace() {
        histories.add(Map.of("a", busy(10), "b", busy(10)), IDLE);
        for (int i = 0; i < 100; i++) {
            histories.add(Map.of("a", busy(10), "b", busy(10), "c", busy(19)), IDLE);
        }
        assertKept("a", "b");
        assertThat(length("a")).isEqualTo(101);
    }

    @Test
    void whoIsTwiceAsBusyTakesThePlaceOfTheIdlest() {
        histories.add(Map.of("a", busy(10), "b", busy(11)), IDLE);
        histories.add(Map.of("a", busy(10), "b", busy(11), "c", busy(21)), IDLE);
        assertKept("b", "c");
        assertThat(length("c")).isEqualTo(1);
    }

    @Test
    void aPauseCostsNobodyThePlace() {
        histories.add(Map.of("a", busy(100), "b", busy(100)), IDLE);
        for (int i = 0; i < 15; i++) {
            histories.add(Map.of("a", busy(0), "c", busy(50)), IDLE);
        }
        assertKept("a", "b");
        assertThat(length("b")).as("gone, but not yet forgotten").isEqualTo(16);
    }

    @Test
    void whoIsIdleForLongGivesWay() {
        histories.add(Map.of("a", busy(100), "b", busy(100)), IDLE);
        for (int i = 0; i < 60; i++) {
            histories.add(Map.of("c", busy(60), "d", busy(60)), IDLE);
        }
        assertKept("c", "d");
    }

    @Test
    void thereAreNeverMoreThanMayBe() {
        Map<String, Point> many = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            many.put("q" + i, busy(i));
        }
        for (int i = 0; i < 10; i++) {
            histories.add(many, IDLE);
        }
        assertKept("q998", "q999");
    }

    @Test
    void whoIsPreferredComesFirstAndIsDisplacedByNobodyElse() {
        Histories<String> histories = new Histories<>(2, List.of("a", "b", "c")::contains, false);
        histories.add(Map.of("d", busy(100), "q0", busy(100)), IDLE);
        histories.add(Map.of("d", busy(100), "q0", busy(100), "a", busy(0), "b", busy(1)), IDLE);
        assertThat(histories.names()).containsExactlyInAnyOrder("a", "b");
        histories.add(Map.of("d", busy(1_000), "a", busy(0), "b", busy(1)), IDLE);
        assertThat(histories.names()).containsExactlyInAnyOrder("a", "b");
        histories.add(Map.of("d", busy(1_000), "a", busy(0), "b", busy(1), "c", busy(2)), IDLE);
        assertThat(histories.names()).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void noneAreKeptWhereNoneMayBe() {
        Histories<String> none = new Histories<>(0, _ -> true, false);
        none.add(Map.of("a", busy(1)), IDLE);
        assertThat(none.names()).isEmpty();
    }

    @Test
    void whatWaitsTakesAsLongAsAtTheRateOfTheLastMinute() {
        Histories<String> one = new Histories<>(1, _ -> false, false);
        for (int i = 0; i < 20; i++) {
            one.add(Map.of("a", new Point(0, 10_000, 300, 0, 0, 0, 0, 0, i < 17 ? 1_000 : 10, 0)), IDLE);
        }
        assertThat(one.summaries().get("a"))
                .extracting(FlowSummary::backlogSeconds)
                .isEqualTo(300 / ((3 * 1_000 + 3 * 10) / 60.0));
        assertThat(new FlowSummary(IDLE, IDLE).backlogSeconds()).isZero();
        Point stuck = new Point(0, 10_000, 1, 0, 0, 0, 0, 0, 0, 0);
        assertThat(new FlowSummary(stuck, stuck).backlogSeconds()).isEqualTo(Double.POSITIVE_INFINITY);
    }

    private void assertKept(String... names) {
        for (String name : new String[] {"a", "b", "c", "d", "q0", "q997", "q998", "q999"}) {
            assertThat(histories.points(name, Resolution.LAST_HOUR).isPresent())
                    .as(name)
                    .isEqualTo(List.of(names).contains(name));
        }
    }

    private int length(String name) {
        return histories.points(name, Resolution.LAST_HOUR).orElseThrow().size();
    }

    private static Point busy(int operations) {
        return new Point(0, 10_000, 0, 0, 0, 0, operations, 0, 0, 0);
    }
}
