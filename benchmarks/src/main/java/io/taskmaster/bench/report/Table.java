package io.taskmaster.bench.report;

import io.taskmaster.bench.load.Latencies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows as text for people: columns aligned, then what a line has no room for. Immutable. */
public final class Table {

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

    private final List<Row> rows;
    private final Comparison comparison;

    /** A table of these rows; limits are looked up among them. */
    public Table(List<Row> rows) {
        this.rows = List.copyOf(rows);
        this.comparison = new Comparison(rows);
    }

    /** The text, lines ending with a line feed. */
    public String render() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(HEAD);
        rows.forEach(row -> lines.add(cells(row)));
        int[] widths = IntStream.range(0, HEAD.size())
                .map(column -> lines.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        String table = lines.stream().map(line -> aligned(line, widths)).collect(Collectors.joining("\n"));
        return table + "\n\n" + remarks();
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

    private String remarks() {
        StringBuilder text = new StringBuilder();
        for (Row row : rows) {
            text.append(row.name()).append(": ").append(row.unit());
            row.limit().ifPresent(limit -> text.append("; limit: ").append(limit));
            row.peer()
                    .map(Peers::bestDurable)
                    .ifPresent(peer -> text.append("; peer: ").append(peer.name()));
            if (!row.note().isEmpty()) {
                text.append("; ").append(row.note());
            }
            text.append('\n');
            row.measurement()
                    .errors()
                    .forEach((reason, count) -> text.append("  ERROR ")
                            .append(reason)
                            .append(": ")
                            .append(count)
                            .append('\n'));
        }
        return text.append("\nPeers were measured elsewhere: ratios to them are indicative only.\n")
                .toString();
    }

    private static String aligned(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String padding = " ".repeat(widths[column] - cells.get(column).length());
            line.append(column == 0 ? cells.get(column) + padding : "  " + padding + cells.get(column));
        }
        return line.toString().stripTrailing();
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
