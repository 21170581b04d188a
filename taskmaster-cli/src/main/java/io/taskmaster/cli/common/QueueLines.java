package io.taskmaster.cli.common;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.QueueSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Queues as rows of a table, or as JSON. In JSON, durations are in seconds, as their names say. Thread-safe: stateless.
 */
public final class QueueLines {

    private static final double MILLIS_PER_SECOND = 1_000;

    private QueueLines() {}

    public static TextTable summaries(Iterable<QueueSummary> queues) {
        var textTable = new TextTable("GROUP", "QUEUE", "AVAILABLE", "LEASED", "DELAYED");
        for (QueueSummary queue : queues) {
            textTable.add(
                    ByteText.line(queue.queue().group()),
                    ByteText.line(queue.queue().name()),
                    queue.available(),
                    queue.leased(),
                    queue.delayed());
        }
        return textTable;
    }

    public static JsonObject json(QueueSummary queue) {
        var json = new JsonObject();
        TaskLines.add(json, "group", queue.queue().group());
        TaskLines.add(json, "queue", queue.queue().name());
        json.addProperty("available", queue.available());
        json.addProperty("leased", queue.leased());
        json.addProperty("delayed", queue.delayed());
        return json;
    }

    public static TextTable descriptions() {
        return new TextTable(
                "GROUP",
                "QUEUE",
                "AVAILABLE",
                "LEASED",
                "DELAYED",
                "ENQUEUED/s",
                "LEASED/s",
                "DEQUEUED/s",
                "MEAN LEASE",
                "OLDEST",
                "EXPIRED",
                "GENERATION",
                "PAUSED",
                "MAX LEASED",
                "WEIGHT");
    }

    public static void add(TextTable textTable, QueueDescription queue) {
        QueueOptions options = queue.options();
        add(
                textTable,
                queue,
                ByteText.line(queue.summary().queue().name()),
                paused(options),
                cap(options),
                Integer.toString(options.weight()));
    }

    public static String paused(QueueOptions options) {
        return options.paused() ? "yes" : "no";
    }

    public static String cap(QueueOptions options) {
        return options.maxLeased() == 0 ? "-" : Integer.toString(options.maxLeased());
    }

    /** Adds the total, which has no options: they belong to single queues. */
    public static void addTotal(TextTable textTable, QueueDescription total) {
        add(textTable, total, "total", "-", "-", "-");
    }

    private static void add(TextTable textTable, QueueDescription queue, String name, String... options) {
        QueueSummary summary = queue.summary();
        var cells = new ArrayList<Object>(List.of(
                ByteText.line(summary.queue().group()),
                name,
                summary.available(),
                summary.leased(),
                summary.delayed(),
                rate(queue.enqueueRate()),
                rate(queue.leaseRate()),
                rate(queue.dequeueRate()),
                age(queue.meanLease()),
                age(queue.oldestAvailableAge()),
                queue.expiredLeases(),
                queue.generation()));
        cells.addAll(List.of(options));
        textTable.add(cells.toArray());
    }

    public static void add(JsonObject json, QueueOptions options) {
        json.addProperty("paused", options.paused());
        json.addProperty("max_leased", options.maxLeased());
        if (options.weight() > 0) {
            json.addProperty("weight", options.weight());
        }
    }

    public static JsonObject json(QueueDescription queue) {
        JsonObject json = json(queue.summary());
        json.addProperty("enqueue_rate", queue.enqueueRate());
        json.addProperty("lease_rate", queue.leaseRate());
        json.addProperty("dequeue_rate", queue.dequeueRate());
        queue.meanLease().ifPresent(mean -> json.addProperty("mean_lease_seconds", seconds(mean)));
        queue.oldestAvailableAge().ifPresent(age -> json.addProperty("oldest_available_age_seconds", seconds(age)));
        json.addProperty("expired_leases", queue.expiredLeases());
        json.addProperty("generation", queue.generation());
        queue.node().ifPresent(node -> json.addProperty("node", node));
        var samples = new JsonArray();
        for (QueueDescription.LeaseSample sample : queue.leasedSample()) {
            var leased = new JsonObject();
            TaskLines.addPid(leased, sample.pid());
            leased.addProperty("lease_id", Long.toUnsignedString(sample.leaseId()));
            leased.addProperty("worker", sample.worker());
            leased.addProperty("address", sample.address());
            leased.addProperty("leased", sample.leased().toString());
            leased.addProperty("lease_expires", sample.leaseExpires().toString());
            leased.addProperty("attempt", sample.attempt());
            samples.add(leased);
        }
        json.add("leased_sample", samples);
        return json;
    }

    public static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%.1f", perSecond);
    }

    /** Formats a duration with the largest unit that suits it. */
    public static String age(Optional<Duration> age) {
        if (age.isEmpty()) {
            return "-";
        }
        Duration span = age.get();
        if (span.toSeconds() < 1) {
            return span.toMillis() + " ms";
        }
        if (span.toMinutes() < 2) {
            return String.format(Locale.ROOT, "%.1f s", seconds(span));
        }
        if (span.toHours() < 2) {
            return span.toMinutes() + " m";
        }
        return span.toDays() < 2 ? span.toHours() + " h" : span.toDays() + " d";
    }

    private static double seconds(Duration span) {
        return span.toMillis() / MILLIS_PER_SECOND;
    }
}
