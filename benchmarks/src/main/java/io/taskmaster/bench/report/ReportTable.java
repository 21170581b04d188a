package io.taskmaster.bench.report;

import io.taskmaster.bench.load.Latencies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** A table of rows as text, followed by remarks with what does not fit into a line. Immutable. */
public final class ReportTable {

    private static final List<String> HEAD = List.of(
            "row",
            "ops/s",
            "tasks/s",
            "p50 ms",
            "p90 ms",
            "p99 ms",
            "p99.9 ms",
            "max ms",
            "errors",
            "of limit",
            "of peer");

    private final Subject subject;
    private final List<Row> rows;
    private final Comparison comparison;

    /** Prepares a table of the rows of one subject; limits are looked up among them. */
    public ReportTable(Subject subject, List<Row> rows) {
        this.subject = subject;
        this.rows = List.copyOf(rows);
        this.comparison = new Comparison(rows);
    }

    /** Returns the text; each line ends with a line feed. */
    public String render(TableStyle style) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(HEAD);
        rows.forEach(row -> lines.add(cells(row)));
        return style.table(lines) + "\n\n" + remarks(style);
    }

    private List<String> cells(Row row) {
        Latencies latencies = row.measurement().latencies();
        return List.of(
                row.name(),
                row.isRate() ? count(row.measurement().operationsPerSecond()) : "-",
                row.isRate() ? count(row.measurement().tasksPerSecond()) : "-",
                millis(latencies.percentile(50)),
                millis(latencies.percentile(90)),
                millis(latencies.percentile(99)),
                millis(latencies.percentile(99.9)),
                millis(latencies.max()),
                String.valueOf(row.measurement().errorCount()),
                percent(comparison.ofLimit(row)),
                times(comparison.ofPeer(row)));
    }

    private String remarks(TableStyle style) {
        List<String> remarks = new ArrayList<>();
        remarks.add(style.remark(subject.toString()));
        for (Row row : rows) {
            remarks.add(style.remark(remark(row)));
            row.measurement()
                    .errors()
                    .forEach((reason, count) -> remarks.add(style.detail("ERROR %s: %d".formatted(reason, count))));
        }
        return String.join("\n", remarks)
                + "\n\nPeers were measured on another machine, so ratios to them are only indicative.\n";
    }

    private static String remark(Row row) {
        StringBuilder text = new StringBuilder();
        text.append(row.name()).append(": ").append(row.unit());
        row.limit().ifPresent(limit -> text.append("; limit: ").append(limit));
        row.peer()
                .map(Peers::bestDurable)
                .ifPresent(peer -> text.append("; peer: ").append(peer.name()));
        if (!row.note().isEmpty()) {
            text.append("; ").append(row.note());
        }
        return text.toString();
    }

    private static String count(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%,.2f", duration.toNanos() / 1e6);
    }

    private static String percent(OptionalDouble ratio) {
        return ratio.isPresent() ? String.format(Locale.ROOT, "%.0f %%", ratio.getAsDouble() * 100) : "-";
    }

    private static String times(OptionalDouble ratio) {
        return ratio.isPresent() ? String.format(Locale.ROOT, "%.1f x", ratio.getAsDouble()) : "-";
    }
}
