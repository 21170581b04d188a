package io.taskmaster.bench.seda;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.bench.seda.Feed.Load;
import io.taskmaster.bench.seda.StageRun.Result;
import io.taskmaster.client.ServiceClass;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StageRunTest {

    private static final Duration SHORT = Duration.ofSeconds(1);

    @Test
    void whatIsOfferedIsDoneAndMeasured() throws InterruptedException {
        Result result = run(new Load(_ -> 2_000, 0.25), Work.NONE, 1);

        assertThat(result.perSecond(ServiceClass.INTERACTIVE)).isPositive().isLessThan(result.perSecond());
        assertThat(result.measuredFrom()).isPositive();
        assertThat(result.measuredStatus()).isNotEmpty();
    }

    @Test
    void aStageThatIsTooSlowShowsIt() throws InterruptedException {
        Result result = run(Load.of(2_000), Work.blocking(Duration.ofMillis(10)), 4);

        assertThat(result.perSecond()).isPositive();
        assertThat(result.interactive().percentile(50)).isGreaterThan(Duration.ofMillis(10));
        assertThat(result.samples().getLast().waiting()).isPositive();
    }

    @Test
    void aPlotShowsMeansOverTime() {
        assertThat(Plot.of("Title", "things", 2, List.of(1, 2, 3), value -> value))
                .contains("```mermaid\nxychart-beta\n")
                .contains("x-axis \"seconds\" 0 --> 2")
                .contains("y-axis \"things\" 0 --> 3")
                .contains("line [1.0, 2.0, 3.0]");
        assertThat(Plot.of("Title", "things", 2, Collections.nCopies(120, 7), value -> value)
                        .split("7\\.0"))
                .hasSize(61);
    }

    private static Result run(Load load, Work work, int workers) throws InterruptedException {
        return new StageRun(
                        "run",
                        load,
                        (stage, meter) -> stage.handler(event -> {
                                    work.on(event);
                                    meter.done(event);
                                })
                                .boundary(
                                        10_000, boundary -> boundary.blocking().concurrency(workers)))
                .run(SHORT, SHORT);
    }
}
