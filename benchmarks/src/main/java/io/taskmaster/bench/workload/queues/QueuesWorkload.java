package io.taskmaster.bench.workload.queues;

import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Timing;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.Target;
import io.taskmaster.bench.workload.Calls;
import io.taskmaster.bench.workload.Scene;
import io.taskmaster.bench.workload.Workload;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Many queues with a few tasks each, compared with few queues, in one run and alternating: leases by a pattern that
 * matches all of them, and descriptions of one. Listing by pages, and the total over all queues, are measured on the
 * many alone. Each connection has one call in flight. Every lease is released again, so both groups always have the
 * tasks they had at first; every reply is checked against that. Immutable.
 *
 * @param few the number of queues of the one group
 * @param many the number of queues of the other
 */
public record QueuesWorkload(int few, int many) implements Workload.SeriesOnServer {

    private static final int TASKS_IN_EACH_OF_FEW = 300;
    private static final int TASKS_IN_EACH_OF_MANY = 3;

    @Override
    public String row() {
        return "queues";
    }

    @Override
    public void run(Scene scene, Target server, Consumer<Row> outcome) throws InterruptedException {
        Population fewQueues = new Population(scene.group("few"), few, TASKS_IN_EACH_OF_FEW);
        Population manyQueues = new Population(scene.group("many"), many, TASKS_IN_EACH_OF_MANY);
        Timing timing = scene.load().timing();
        try (LoadConnections loadConnections = scene.connect(server)) {
            fewQueues.fill(loadConnections);
            manyQueues.fill(loadConnections);
            Compared compared = new Compared(loadConnections, timing, fewQueues, manyQueues);
            compared.rows(
                            "lease",
                            "one lease of 1 task by a pattern; rates are those of leases each followed by a release",
                            QueueProbes::lease)
                    .forEach(outcome);
            compared.rows("describe", "one description of one queue", QueueProbes::describe)
                    .forEach(outcome);
            outcome.accept(alone(
                    loadConnections,
                    timing,
                    "list",
                    "one page of %,d of the queues that have available tasks, by a pattern".formatted(QueueProbes.PAGE),
                    QueueProbes.list(manyQueues)));
            outcome.accept(alone(
                    loadConnections,
                    timing,
                    "total",
                    "one description of the whole group, all queues together and one of them",
                    QueueProbes.total(manyQueues)));
            Calls calls = new Calls(loadConnections.first());
            calls.delete(fewQueues.matching());
            calls.delete(manyQueues.matching());
        }
    }

    private Row alone(
            LoadConnections loadConnections, Timing timing, String operation, String unit, LatencyProbe latencyProbe)
            throws InterruptedException {
        Side side = new Side(latencyProbe);
        Side.measure(loadConnections, timing, side);
        return Row.rate(name(operation, many), unit(unit, many), side.measurement());
    }

    private String name(String operation, int queues) {
        return row() + " " + operation + " " + queues;
    }

    private static String unit(String operation, int queues) {
        return "one operation = %s, in a group of %,d queues".formatted(operation, queues);
    }

    /** A comparison of the same calls in both groups. Single-threaded: owned by the run. */
    private final class Compared {

        private final LoadConnections loadConnections;
        private final Timing timing;
        private final Population fewQueues;
        private final Population manyQueues;

        Compared(LoadConnections loadConnections, Timing timing, Population fewQueues, Population manyQueues) {
            this.loadConnections = loadConnections;
            this.timing = timing;
            this.fewQueues = fewQueues;
            this.manyQueues = manyQueues;
        }

        List<Row> rows(String operation, String unit, Function<Population, LatencyProbe> probe)
                throws InterruptedException {
            Side fewSide = new Side(probe.apply(fewQueues));
            Side manySide = new Side(probe.apply(manyQueues));
            Side.measure(loadConnections, timing, fewSide, manySide);
            Row fewRow = Row.rate(name(operation, few), unit(unit, few), fewSide.measurement());
            Row manyRow = Row.rate(name(operation, many), unit(unit, many), manySide.measurement())
                    .boundBy(fewRow.name());
            return List.of(fewRow, manyRow.noting(times(manyRow, fewRow)));
        }

        private String times(Row manyRow, Row fewRow) {
            return String.format(
                    Locale.ROOT,
                    "p50 %.2f and p99 %.2f times those of %,d queues",
                    times(manyRow, fewRow, 50),
                    times(manyRow, fewRow, 99),
                    few);
        }

        private static double times(Row row, Row other, double percent) {
            Latencies latencies = row.measurement().latencies();
            Latencies others = other.measurement().latencies();
            return latencies.percentile(percent).toNanos()
                    / (double) others.percentile(percent).toNanos();
        }
    }
}
