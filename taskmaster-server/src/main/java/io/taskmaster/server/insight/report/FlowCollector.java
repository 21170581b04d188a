package io.taskmaster.server.insight.report;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.taskmaster.command.Verdict;
import io.taskmaster.server.insight.FlowFinding;
import io.taskmaster.server.insight.FlowSummary;
import io.taskmaster.server.insight.InsightTotals;
import io.taskmaster.server.insight.Point;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A collector of the flow of tasks, for all queues together and for the families and queues with a history. So the
 * number of series is bounded, whatever the number of queues. Values are of the last step of the history. Thread-safe.
 */
public final class FlowCollector implements MultiCollector {

    private static final double MILLIS_PER_SECOND = 1_000;

    /** The maximum number of series of families in which tasks wait. */
    private static final int MAX_WAITS = 64;

    private static final Set<Verdict> WAITS = EnumSet.complementOf(EnumSet.of(Verdict.FINE));

    private final Supplier<InsightTotals> totals;

    /** Creates a collector of what is supplied at each scrape. */
    public FlowCollector(Supplier<InsightTotals> totals) {
        this.totals = totals;
    }

    @Override
    public MetricSnapshots collect() {
        InsightTotals insightTotals = totals.get();
        Map<Labels, FlowSummary> all = new LinkedHashMap<>();
        insightTotals.all().ifPresent(flowSummary -> all.put(Labels.EMPTY, flowSummary));
        Map<Labels, FlowSummary> families = new LinkedHashMap<>();
        insightTotals.families().forEach((name, flowSummary) -> families.put(LabelText.of(name), flowSummary));
        Map<Labels, FlowSummary> queues = new LinkedHashMap<>();
        insightTotals.queues().forEach((name, flowSummary) -> queues.put(LabelText.of(name), flowSummary));
        MetricSnapshots.Builder metrics = MetricSnapshots.builder();
        add(metrics, "taskmaster_", "", all);
        add(metrics, "taskmaster_family_", ", by family of similarly named queues", families);
        add(metrics, "taskmaster_queue_", ", by queue", queues);
        if (insightTotals.all().isPresent()) {
            addWaits(metrics, insightTotals.findings());
        }
        return metrics.build();
    }

    private static void addWaits(MetricSnapshots.Builder metrics, List<FlowFinding> findings) {
        Map<Verdict, Long> tasks = new EnumMap<>(Verdict.class);
        WAITS.forEach(verdict -> tasks.put(verdict, 0L));
        findings.forEach(flowFinding -> tasks.merge(flowFinding.verdict(), flowFinding.tasks(), Long::sum));
        GaugeSnapshot.Builder all = GaugeSnapshot.builder()
                .name("taskmaster_waiting_tasks")
                .help("Available tasks by the verdict on their queue; for behind, on their family");
        tasks.forEach((verdict, count) -> all.dataPoint(gauge(label(verdict), (double) count)));
        GaugeSnapshot.Builder families = GaugeSnapshot.builder()
                .name("taskmaster_family_waiting_tasks")
                .help("Available tasks by verdict and family of similarly named queues, for the most urgent families");
        findings.stream()
                .limit(MAX_WAITS)
                .forEach(flowFinding -> families.dataPoint(
                        gauge(LabelText.of(flowFinding.family()).merge(label(flowFinding.verdict())), (double)
                                flowFinding.tasks())));
        metrics.metricSnapshot(all.build());
        metrics.metricSnapshot(families.build());
    }

    private static Labels label(Verdict verdict) {
        return Labels.of("verdict", verdict.name().toLowerCase(Locale.ROOT));
    }

    private static void add(
            MetricSnapshots.Builder metrics, String prefix, String suffix, Map<Labels, FlowSummary> summaries) {
        GaugeSnapshot.Builder tasks =
                GaugeSnapshot.builder().name(prefix + "tasks").help("Tasks in queues" + suffix);
        summaries.forEach((labels, flowSummary) -> {
            Point now = flowSummary.total();
            tasks.dataPoint(gauge(labels.merge(Labels.of("state", "available")), (double) now.available()));
            tasks.dataPoint(gauge(labels.merge(Labels.of("state", "leased")), (double) now.leased()));
            tasks.dataPoint(gauge(labels.merge(Labels.of("state", "delayed")), (double) now.delayed()));
        });
        metrics.metricSnapshot(tasks.build());
        measure(
                metrics,
                prefix + "oldest_available_age_seconds",
                "Age of the oldest available task, as far as known; 0 if there is none" + suffix,
                summaries,
                flowSummary -> flowSummary.total().oldestAgeMillis() / MILLIS_PER_SECOND);
        measure(
                metrics,
                prefix + "backlog_seconds",
                "Time to process all available tasks at the dequeue rate of the last minute" + suffix,
                summaries,
                FlowSummary::backlogSeconds);
        count(metrics, prefix + "enqueued", "Enqueued tasks" + suffix, summaries, Point::enqueued);
        count(metrics, prefix + "leased", "Leases, without renewals" + suffix, summaries, Point::leases);
        count(metrics, prefix + "dequeued", "Dequeued tasks" + suffix, summaries, Point::dequeued);
        count(metrics, prefix + "leases_expired", "Expired leases" + suffix, summaries, Point::expired);
    }

    private static GaugeDataPointSnapshot gauge(Labels labels, double value) {
        return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
    }

    private static void measure(
            MetricSnapshots.Builder metrics,
            String name,
            String help,
            Map<Labels, FlowSummary> summaries,
            ToDoubleFunction<FlowSummary> value) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
        summaries.forEach((labels, flowSummary) -> gauge.dataPoint(gauge(labels, value.applyAsDouble(flowSummary))));
        metrics.metricSnapshot(gauge.build());
    }

    private static void count(
            MetricSnapshots.Builder metrics,
            String name,
            String help,
            Map<Labels, FlowSummary> summaries,
            ToLongFunction<Point> value) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
        summaries.forEach((labels, flowSummary) -> counter.dataPoint(CounterDataPointSnapshot.builder()
                .labels(labels)
                .value((double) value.applyAsLong(flowSummary.total()))
                .build()));
        metrics.metricSnapshot(counter.build());
    }
}
