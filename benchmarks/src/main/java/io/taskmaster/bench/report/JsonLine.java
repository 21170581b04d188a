package io.taskmaster.bench.report;

import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.load.Measurement;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * A row as one line of JSON: an object without line feeds, with plain numbers and field names that end in their unit.
 */
public final class JsonLine {

    private final StringJoiner fields = new StringJoiner(",", "{", "}");

    private JsonLine() {}

    /** Returns one row of a subject. Ratios are null where the row has no limit or peer. */
    public static String of(Subject subject, Row row, Comparison comparison) {
        Measurement measurement = row.measurement();
        JsonLine line = new JsonLine()
                .field("row", quoted(row.name()))
                .field("unit", quoted(row.unit()))
                .field("measured_s", number(measurement.length().toNanos() / 1e9))
                .field("operations", String.valueOf(measurement.operations()))
                .field("operations_per_s", row.isRate() ? number(measurement.operationsPerSecond()) : "null")
                .field("tasks_per_s", row.isRate() ? number(measurement.tasksPerSecond()) : "null");
        Latencies latencies = measurement.latencies();
        return line.field("p50_ms", millis(latencies.percentile(50)))
                .field("p90_ms", millis(latencies.percentile(90)))
                .field("p99_ms", millis(latencies.percentile(99)))
                .field("p999_ms", millis(latencies.percentile(99.9)))
                .field("max_ms", millis(latencies.max()))
                .field("errors", errors(measurement.errors()))
                .field("limit", row.limit().map(JsonLine::quoted).orElse("null"))
                .field("of_limit", ratio(comparison.ofLimit(row)))
                .field(
                        "peer_measured_elsewhere",
                        row.peer()
                                .map(discipline ->
                                        quoted(Peers.bestDurable(discipline).name()))
                                .orElse("null"))
                .field("of_peer", ratio(comparison.ofPeer(row)))
                .field("note", quoted(row.note()))
                .field("store", quoted(subject.store()))
                .field("settings", strings(subject.settings()))
                .field("versions", strings(subject.versions()))
                .fields
                .toString();
    }

    private JsonLine field(String name, String json) {
        fields.add(quoted(name) + ":" + json);
        return this;
    }

    private static String errors(Map<String, Long> errors) {
        StringJoiner object = new StringJoiner(",", "{", "}");
        new TreeMap<>(errors).forEach((reason, count) -> object.add(quoted(reason) + ":" + count));
        return object.toString();
    }

    private static String strings(Map<String, String> map) {
        StringJoiner object = new StringJoiner(",", "{", "}");
        map.forEach((key, value) -> object.add(quoted(key) + ":" + quoted(value)));
        return object.toString();
    }

    private static String ratio(OptionalDouble ratio) {
        return ratio.isPresent() ? number(ratio.getAsDouble()) : "null";
    }

    private static String millis(Duration duration) {
        return number(duration.toNanos() / 1e6);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            switch (character) {
                case '"', '\\' -> quoted.append('\\').append(character);
                default -> {
                    if (character < ' ') {
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
                    } else {
                        quoted.append(character);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
