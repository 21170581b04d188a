package io.taskmaster.bench.seda;

import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.report.TableStyle;
import io.taskmaster.bench.seda.Feed.Load;
import io.taskmaster.bench.seda.StageRun.Result;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.local.LocalStageBuilder;
import io.taskmaster.stage.local.LocalStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;

/**
 * The batching controller under overload. The handler waits 10 ms for a batch of up to 64 events and proportionally
 * longer for a larger one, as a disk or a remote store does. The smallest batch with the highest throughput is 64; a
 * larger one only adds latency.
 */
record BatchSize() implements Experiment {

    private static final double OVERLOAD_PER_SECOND = 9_000;
    private static final double LIGHT_PER_SECOND = 500;
    private static final Duration BATCH_TIME = Duration.ofMillis(10);
    private static final int AT_ONE_PRICE = 64;
    private static final int MAX_BATCH = 1_000;
    private static final int CAPACITY = 2_000;
    private static final Duration WARM_UP = Duration.ofSeconds(15);

    @Override
    public String run(Duration each) throws InterruptedException {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "events/s", "p50 ms", "p99 ms", "median batch"));
        for (int size : List.of(1, 16, AT_ONE_PRICE, 256, MAX_BATCH)) {
            rows.add(row(run(
                            "batches of " + size,
                            Load.of(OVERLOAD_PER_SECOND),
                            (stage, meter) -> stage.batchHandler(size, (events, _) -> handle(events, meter)))
                    .run(WARM_UP, each)));
        }
        Result found = controlled("controller", Load.of(OVERLOAD_PER_SECOND)).run(WARM_UP, each);
        rows.add(row(found));
        double dropsAt = WARM_UP.plus(each.dividedBy(2)).toMillis() / 1e3;
        Load dropping = new Load(now -> now < dropsAt ? OVERLOAD_PER_SECOND : LIGHT_PER_SECOND, 1);
        Result drop = controlled("load drops", dropping).run(WARM_UP, each);
        return "### Batching controller\n\n"
                + TableStyle.MARKDOWN.table(rows)
                + "\n\n"
                + Plot.of(
                        String.format(Locale.ROOT, "Batch size, the load drops after %.0f s", dropsAt),
                        "events",
                        WARM_UP.plus(each).toMillis() / 1e3,
                        drop.samples(),
                        LocalStatus::maxBatch);
    }

    private static StageRun controlled(String name, Load load) {
        return run(
                name,
                load,
                (stage, meter) ->
                        stage.batchHandler(Controller.batching(1, MAX_BATCH), (events, _) -> handle(events, meter)));
    }

    private static StageRun run(String name, Load load, BiConsumer<LocalStageBuilder<Event>, Meter> handler) {
        return new StageRun(name, load, (stage, meter) -> {
            handler.accept(stage, meter);
            stage.boundary(CAPACITY, boundary -> boundary.blocking());
        });
    }

    private static void handle(List<Event> events, Meter meter) throws InterruptedException {
        double times = Math.max(1, (double) events.size() / AT_ONE_PRICE);
        Thread.sleep(Duration.ofNanos(Math.round(BATCH_TIME.toNanos() * times)));
        events.forEach(meter::done);
    }

    private static List<String> row(Result result) {
        Latencies latencies = result.interactive();
        List<Integer> sizes = result.measuredStatus().stream()
                .map(LocalStatus::maxBatch)
                .sorted()
                .toList();
        return List.of(
                result.name(),
                Text.count(result.perSecond()),
                Text.millis(latencies.percentile(50)),
                Text.millis(latencies.percentile(99)),
                String.valueOf(sizes.get(sizes.size() / 2)));
    }
}
