package io.taskmaster.bench.seda;

import static io.taskmaster.client.ServiceClass.BULK;
import static io.taskmaster.client.ServiceClass.INTERACTIVE;

import io.taskmaster.bench.report.TableStyle;
import io.taskmaster.bench.seda.Feed.Load;
import io.taskmaster.bench.seda.StageRun.Result;
import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.local.Boundary;
import io.taskmaster.stage.local.LocalStatus;
import io.taskmaster.stage.local.admission.AdmissionRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * An overload of ten times the capacity of a stage, whose four workers wait 4 ms for each event: with and without
 * overload control. Nine in ten interactive events should be answered within 100 ms, nine in ten bulk events within a
 * second. The interactive events alone are half of the capacity, or twice as much.
 */
record Overload() implements Experiment {

    private static final double PER_SECOND = 10_000;
    private static final int WORKERS = 4;
    private static final Duration WORK = Duration.ofMillis(4);
    private static final int CAPACITY = 20_000;
    private static final Duration INTERACTIVE_TARGET = Duration.ofMillis(100);
    private static final Duration BULK_TARGET = Duration.ofSeconds(1);
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final double SLOW = 90;

    private record Way(String name, UnaryOperator<Boundary<Event>> settings) {}

    private static final List<Way> VARIANTS = List.of(
            new Way("a long line", UnaryOperator.identity()),
            new Way("classes", boundary -> boundary.serviceClass(Event::serviceClass)),
            new Way(
                    "response-time targets",
                    boundary -> boundary.serviceClass(Event::serviceClass)
                            .admission(AdmissionRule.responseTimes(
                                    Map.of(INTERACTIVE, INTERACTIVE_TARGET, BULK, BULK_TARGET)))));

    @Override
    public String run(Duration each) throws InterruptedException {
        StringBuilder text = new StringBuilder("### Overload\n\n");
        for (double interactiveShare : List.of(0.05, 0.2)) {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of(
                    "",
                    "events/s",
                    "in time/s",
                    "interactive/s",
                    "interactive p90 ms",
                    "p99 ms",
                    "bulk/s",
                    "bulk p90 ms",
                    "most in line"));
            for (Way variant : VARIANTS) {
                Load load = new Load(_ -> PER_SECOND, interactiveShare);
                rows.add(row(run(variant, load).run(WARM_UP, each)));
            }
            text.append("%s events/s are offered, %s of them interactive:%n%n"
                            .formatted(Text.count(PER_SECOND), Text.percent(interactiveShare)))
                    .append(TableStyle.MARKDOWN.table(rows))
                    .append("\n\n");
        }
        return text.toString();
    }

    private static StageRun run(Way variant, Load load) {
        Work work = Work.blocking(WORK);
        return new StageRun(
                variant.name(),
                load,
                (stage, meter) -> stage.handler(event -> {
                            work.on(event);
                            meter.done(event);
                        })
                        .boundary(
                                CAPACITY,
                                boundary -> variant.settings()
                                        .apply(boundary.blocking().concurrency(WORKERS))));
    }

    private static double inTime(Result result, ServiceClass serviceClass, Duration target) {
        return result.perSecond(serviceClass) * result.responses(serviceClass).shareWithin(target);
    }

    private static List<String> row(Result result) {
        return List.of(
                result.name(),
                Text.count(result.perSecond()),
                Text.count(inTime(result, INTERACTIVE, INTERACTIVE_TARGET) + inTime(result, BULK, BULK_TARGET)),
                Text.count(result.perSecond(INTERACTIVE)),
                Text.millis(result.responses(INTERACTIVE).percentile(SLOW)),
                Text.millis(result.responses(INTERACTIVE).percentile(99)),
                Text.count(result.perSecond(BULK)),
                Text.millis(result.responses(BULK).percentile(SLOW)),
                Text.count(result.measuredStatus().stream()
                        .mapToDouble(LocalStatus::waiting)
                        .max()
                        .orElse(0)));
    }
}
