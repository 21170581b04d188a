package io.taskmaster.server.insight.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Verdict;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.metrics.Metrics;
import io.taskmaster.server.insight.FlowFinding;
import io.taskmaster.server.insight.FlowSummary;
import io.taskmaster.server.insight.InsightTotals;
import io.taskmaster.server.insight.Point;
import io.taskmaster.server.metrics.Programs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of {@link FlowCollector}. */
final class FlowCollectorTest {

    private static final FamilyName ODD =
            new FamilyName(Optional.of(GroupName.of("a \"b\"\n\\")), Bytes.of("fetch/"), true, Bytes.EMPTY);

    private static final FamilyName OPEN = family("fetch", true);
    private static final FamilyName STARRED = family("fetch*", false);
    private static final QueueKey NO_TEXT =
            new QueueKey(GroupName.EMPTY, QueueName.wrap(new byte[] {(byte) 0xff, (byte) 0xc3, '"'}));

    private final Metrics metrics = new Metrics();

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void tellsWhatHappensToTasks() {
        metrics.register(new FlowCollector(() -> new InsightTotals(
                Optional.of(standing(9)),
                Map.of(FamilyName.OTHERS, standing(2)),
                Map.of(QueueKey.of("g", "q*"), standing(20)),
                IntStream.range(0, 100)
                        .mapToObj(i -> finding(i < 90 ? Verdict.STUCK : Verdict.KEPT, "q" + i))
                        .toList())));
        assertThat(text("").lines().filter(line -> line.startsWith("taskmaster_family_waiting_tasks{")))
                .hasSize(64)
                .contains("taskmaster_family_waiting_tasks{family=\"q0\",group=\"\",verdict=\"stuck\"} 3.0");
        assertThat(text("").lines())
                .contains(
                        "taskmaster_waiting_tasks{verdict=\"stuck\"} 270.0",
                        "taskmaster_waiting_tasks{verdict=\"kept\"} 30.0",
                        "taskmaster_waiting_tasks{verdict=\"behind\"} 0.0");
        assertThat(text("").lines())
                .contains(
                        "# TYPE taskmaster_tasks gauge",
                        "# TYPE taskmaster_enqueued_total counter",
                        "taskmaster_tasks{state=\"available\"} 9.0",
                        "taskmaster_tasks{state=\"leased\"} 10.0",
                        "taskmaster_tasks{state=\"delayed\"} 11.0",
                        "taskmaster_oldest_available_age_seconds 0.012",
                        "taskmaster_backlog_seconds 0.3",
                        "taskmaster_enqueued_total 13.0",
                        "taskmaster_leased_total 14.0",
                        "taskmaster_dequeued_total 15.0",
                        "taskmaster_leases_expired_total 16.0",
                        "taskmaster_family_tasks{family=\"*\",group=\"*\",state=\"available\"} 2.0",
                        "taskmaster_family_dequeued_total{family=\"*\",group=\"*\"} 8.0",
                        "taskmaster_queue_tasks{group=\"g\",queue=\"q\\\\*\",state=\"available\"} 20.0",
                        "taskmaster_queue_oldest_available_age_seconds{group=\"g\",queue=\"q\\\\*\"} 0.023",
                        "taskmaster_queue_enqueued_total{group=\"g\",queue=\"q\\\\*\"} 24.0");
    }

    @Test
    void tellsNothingOfTasksBeforeTheFirstStep() {
        metrics.register(new FlowCollector(() -> new InsightTotals(Optional.empty(), Map.of(), Map.of(), List.of())));
        assertThat(text("").lines()).noneMatch(line -> line.startsWith("taskmaster"));
    }

    @Test
    void isWhatPrometheusWants() throws Exception {
        metrics.register(new FlowCollector(() -> new InsightTotals(
                Optional.of(standing(9)),
                Map.of(ODD, standing(1), FamilyName.OTHERS, standing(2), OPEN, standing(3), STARRED, standing(4)),
                Map.of(QueueKey.of("g", "q"), stuck(), NO_TEXT, stuck()),
                List.of(finding(Verdict.STUCK, "q")))));
        Programs.run(Programs.find("promtool"), text(""), "check", "metrics");
    }

    private String text(String accepted) {
        return metrics.scrape(accepted).text();
    }

    private static FamilyName family(String head, boolean isOpen) {
        return new FamilyName(Optional.of(GroupName.of("g")), Bytes.of(head), isOpen, Bytes.EMPTY);
    }

    /** Returns a finding. Its backlog takes 0.3 s at its rate. */
    private static FlowFinding finding(Verdict verdict, String family) {
        return new FlowFinding(
                verdict,
                new FamilyName(Optional.of(GroupName.EMPTY), Bytes.of(family), false, Bytes.EMPTY),
                1,
                3,
                Optional.empty(),
                0,
                0);
    }

    private static FlowSummary standing(int first) {
        Point total =
                new Point(0, 1, first, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6, first + 7);
        return new FlowSummary(total, new Point(0, 1_000, 3, 0, 0, 0, 0, 0, 10, 0));
    }

    /** Returns the standing of queues whose tasks are not leased. */
    private static FlowSummary stuck() {
        Point waits = new Point(0, 1_000, 3, 0, 0, 1, 0, 0, 0, 0);
        return new FlowSummary(waits, waits);
    }
}
