package io.taskmaster.server.insight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests of the history of a day in both resolutions. */
final class FlowHistoryTest {

    private static final int STEP_MILLIS = 10_000;
    private static final int STEPS_OF_A_DAY = 8_640;

    private final FlowHistory flowHistory = new FlowHistory();
    private final List<Point> steps = new ArrayList<>();

    @Test
    void beginsWithNothing() {
        for (Resolution resolution : Resolution.values()) {
            assertThat(flowHistory.points(resolution)).isEmpty();
        }
    }

    @Test
    void theLastHourIsKeptStepByStep() {
        pass(1_000);
        assertThat(flowHistory.points(Resolution.LAST_HOUR)).isEqualTo(steps.subList(640, 1_000));
    }

    @Test
    void theLastDayIsMadeOfTheSameSteps() {
        pass(STEPS_OF_A_DAY + 3_000);
        List<Point> day = flowHistory.points(Resolution.LAST_DAY);
        assertThat(day).hasSize(288);
        for (int i = 0; i < day.size(); i++) {
            List<Point> parts = steps.subList(3_000 + 30 * i, 3_000 + 30 * (i + 1));
            Point last = parts.getLast();
            Point point = day.get(i);
            assertThat(point.atMillis()).isEqualTo(last.atMillis());
            assertThat(point.available()).isEqualTo(last.available());
            assertThat(point.spanMillis()).isEqualTo(30L * STEP_MILLIS);
            assertThat(point.enqueued())
                    .isEqualTo(parts.stream().mapToLong(Point::enqueued).sum());
            assertThat(point.expired())
                    .isEqualTo(parts.stream().mapToLong(Point::expired).sum());
        }
    }

    @Test
    void aPointOfTheDayIsThereWhenItsSpanIsOver() {
        pass(29);
        assertThat(flowHistory.points(Resolution.LAST_DAY)).isEmpty();
        pass(1);
        assertThat(flowHistory.points(Resolution.LAST_DAY)).hasSize(1);
    }

    @Test
    void ratesAreThoseOfTheSpan() {
        Point point = new Point(0, 20_000, 0, 0, 0, 0, 30, 0, 10, 0);
        assertThat(point.perSecond(point.enqueued())).isEqualTo(1.5);
        assertThat(point.perSecond(point.dequeued())).isEqualTo(.5);
    }

    private void pass(int count) {
        Random random = new Random(count);
        for (int i = 0; i < count; i++) {
            Point step = new Point(
                    (long) (steps.size() + 1) * STEP_MILLIS,
                    STEP_MILLIS,
                    random.nextInt(100),
                    random.nextInt(100),
                    random.nextInt(100),
                    random.nextInt(100),
                    random.nextInt(100),
                    random.nextInt(100),
                    random.nextInt(100),
                    random.nextInt(100));
            steps.add(step);
            flowHistory.add(step);
        }
    }
}
