package io.taskmaster.bench.seda;

import io.taskmaster.bench.report.TableStyle;
import io.taskmaster.bench.seda.Feed.Load;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.local.Boundary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The throughput with the thread pool controller, compared with fixed numbers of workers, on five workloads that each
 * exceed the capacity of the stage.
 */
record Adaptive() implements Experiment {

    private static final int CAPACITY = 2_000;
    private static final int MAX_WORKERS = 64;
    private static final List<Integer> FIXED = List.of(1, 2, 4, 8, 12, 16, 32, MAX_WORKERS);
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration BLOCKS = Duration.ofMillis(20);
    private static final Duration COMPUTES = Duration.ofMillis(1);

    private record Workload(String name, Load load, Supplier<Work> work) {}

    @Override
    public String run(Duration each) throws InterruptedException {
        List<List<String>> rows = new ArrayList<>();
        rows.add(Stream.of(
                        Stream.of("events/s with workers"),
                        FIXED.stream().map(String::valueOf),
                        Stream.of("controller", "of the best", "gradient"))
                .flatMap(cells -> cells)
                .toList());
        for (Workload workload : workloads(each)) {
            rows.add(row(workload, each));
        }
        return "### Adaptive beside fixed\n\n" + TableStyle.MARKDOWN.table(rows) + "\n";
    }

    private static List<Workload> workloads(Duration each) {
        Work computing = Work.computing(COMPUTES);
        double endSeconds = WARM_UP.plus(each).toMillis() / 1e3;
        return List.of(
                new Workload("computing 1 ms", Load.of(3_000), () -> computing),
                new Workload("blocking 20 ms", Load.of(4_000), () -> Work.blocking(BLOCKS)),
                new Workload(
                        "mixed, half of each",
                        Load.of(3_000),
                        () -> Work.either(0.5, Work.blocking(BLOCKS), computing)),
                new Workload(
                        "bursty, 3,000/s for 1 s in 4 and 200/s else",
                        new Load(now -> now % 4 < 1 ? 3_000 : 200, 1),
                        () -> Work.blocking(BLOCKS)),
                new Workload(
                        "downstream from 10 to 40 ms, worse beyond 12 calls",
                        Load.of(2_000),
                        () -> slowing(endSeconds)));
    }

    private static Work slowing(double endSeconds) {
        long startNanos = System.nanoTime();
        return Work.calling(() -> 0.010 + 0.030 * (System.nanoTime() - startNanos) / 1e9 / endSeconds, 12);
    }

    private static List<String> row(Workload workload, Duration each) throws InterruptedException {
        List<String> cells = new ArrayList<>(List.of(workload.name()));
        double best = 0;
        for (int workers : FIXED) {
            double rate = rate(workload, boundary -> boundary.concurrency(workers), each);
            best = Math.max(best, rate);
            cells.add(Text.count(rate));
        }
        double adaptive = rate(workload, boundary -> boundary.concurrency(Controller.threadPool(1, MAX_WORKERS)), each);
        cells.add(Text.count(adaptive));
        cells.add(Text.percent(adaptive / best));
        cells.add(Text.count(
                rate(workload, boundary -> boundary.concurrency(Controller.gradient(1, MAX_WORKERS)), each)));
        return cells;
    }

    private static double rate(Workload workload, UnaryOperator<Boundary<Event>> workers, Duration each)
            throws InterruptedException {
        Work work = workload.work().get();
        StageRun run = new StageRun(
                workload.name(),
                workload.load(),
                (stage, meter) -> stage.handler(event -> {
                            work.on(event);
                            meter.done(event);
                        })
                        .boundary(CAPACITY, boundary -> workers.apply(boundary.blocking())));
        return run.run(WARM_UP, each).perSecond();
    }
}
