package io.taskmaster.bench.seda;

import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.report.TableStyle;
import io.taskmaster.bench.seda.Feed.Load;
import io.taskmaster.bench.seda.StageRun.Result;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.local.Boundary;
import io.taskmaster.stage.local.LocalStatus;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The Gnutella packet router of the SEDA paper: 1,000 packets a second, of which 15 % are queries that block for 20 ms.
 * By Little's law three workers are busy with queries: 1000/s x 0.15 x 20 ms.
 */
record PacketRouter() implements Experiment {

    private static final double PER_SECOND = 1_000;
    private static final double QUERIES = 0.15;
    private static final Duration QUERY = Duration.ofMillis(20);
    private static final int CAPACITY = 10_000;
    private static final int MAX_WORKERS = 20;
    private static final Duration WARM_UP = Duration.ofSeconds(10);

    @Override
    public String run(Duration each) throws InterruptedException {
        Result one = run("1 worker", boundary -> boundary.concurrency(1)).run(WARM_UP, each);
        Result three = run("3 workers", boundary -> boundary.concurrency(3)).run(WARM_UP, each);
        Result four = run("4 workers", boundary -> boundary.concurrency(4)).run(WARM_UP, each);
        Result found = run("controller", boundary -> boundary.concurrency(Controller.threadPool(1, MAX_WORKERS)))
                .run(WARM_UP, each);
        double seconds = WARM_UP.plus(each).toMillis() / 1e3;
        return "### Packet router\n\n"
                + TableStyle.MARKDOWN.table(List.of(
                        List.of("", "packets/s", "p50 ms", "p99 ms", "share of time with so many workers"),
                        row(one),
                        row(three),
                        row(four),
                        row(found)))
                + "\n\n"
                + Plot.of(
                        "Workers that the controller sets",
                        "workers",
                        seconds,
                        found.samples(),
                        LocalStatus::maxWorkers)
                + "\n"
                + Plot.of("Packets in line, one worker", "packets", seconds, one.samples(), LocalStatus::waiting)
                + "\n"
                + Plot.of("Packets in line, controller", "packets", seconds, found.samples(), LocalStatus::waiting);
    }

    private static StageRun run(String name, UnaryOperator<Boundary<Event>> workers) {
        Work work = Work.either(QUERIES, Work.blocking(QUERY), Work.NONE);
        return new StageRun(
                name,
                Load.of(PER_SECOND),
                (stage, meter) -> stage.handler(event -> {
                            work.on(event);
                            meter.done(event);
                        })
                        .boundary(CAPACITY, boundary -> workers.apply(boundary.blocking())));
    }

    private static List<String> row(Result result) {
        Latencies latencies = result.interactive();
        List<LocalStatus> samples = result.measuredStatus();
        Map<Integer, Long> counts = samples.stream()
                .collect(Collectors.groupingBy(LocalStatus::maxWorkers, TreeMap::new, Collectors.counting()));
        return List.of(
                result.name(),
                Text.count(result.perSecond()),
                Text.millis(latencies.percentile(50)),
                Text.millis(latencies.percentile(99)),
                counts.entrySet().stream()
                        .map(entry -> String.format(
                                Locale.ROOT, "%d: %.0f %%", entry.getKey(), 100.0 * entry.getValue() / samples.size()))
                        .collect(Collectors.joining(", ")));
    }
}
