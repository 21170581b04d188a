package io.taskmaster.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the dashboard and the alerts of {@code docs/monitoring} with a real Prometheus that scrapes a real server.
 */
final class MonitoringIT {

    private static final Path DOCS = Path.of("..", "docs", "monitoring");
    private static final Path GUIDE = Path.of("..", "docs", "monitoring.md");

    /** The pattern of a query in the guide, in an example of configuration or by itself. */
    private static final Pattern QUERY = Pattern.compile("(?m)^ *query: (.+)$|```promql\n([^`]+)```");

    /** The queue of the guide. */
    private static final QueueKey WORK = QueueKey.of("crawl", "fetch");

    @TempDir
    private Path folder;

    @Test
    void everyAlertIsWellFormed() throws Exception {
        Programs.run(
                Programs.find("promtool"),
                "",
                "check",
                "rules",
                DOCS.resolve("alerts.yml").toString());
    }

    @Test
    void aPipelineWithoutWorkersRaisesAnAlert() throws Exception {
        Programs.run(
                Programs.find("promtool"),
                "",
                "test",
                "rules",
                DOCS.resolve("alerts-test.yml").toString());
    }

    @Test
    void everyPanelHasSomethingToShow() throws Exception {
        Path program = Programs.find("prometheus");
        AtomicBoolean over = new AtomicBoolean();
        try (TaskMasterServer server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
                TaskMasterClient client = TaskMasterClient.builder("127.0.0.1:" + server.rpcPort())
                        .build();
                Prometheus prometheus = Prometheus.start(program, folder, server.httpPort())) {
            Thread worker = Thread.ofVirtual().start(() -> work(client.blocking(), over));
            try {
                List<String> queries = queries();
                queries.addAll(queriesOfTheGuide());
                for (String query : queries) {
                    await().atMost(Duration.ofSeconds(90))
                            .untilAsserted(() -> assertThat(results(prometheus, query))
                                    .as(query)
                                    .isNotEmpty());
                }
            } finally {
                over.set(true);
                worker.join();
            }
        }
    }

    private static void work(BlockingClient tasks, AtomicBoolean over) {
        for (int i = 0; !over.get(); i++) {
            tasks.enqueue(WORK, Pid.of("p" + i), Bytes.of("data"));
            tasks.enqueue(WORK, Bytes.of("more"));
            LeasedTask task = tasks.lease(LeaseRequest.from(WORK)).getFirst();
            tasks.update(Update.in("crawl").dequeue(task).build());
            try {
                tasks.enqueue(WORK, Pid.of("x".repeat(5_000)), Bytes.EMPTY);
            } catch (TaskMasterException refused) {
                assertThat(refused).hasMessageContaining("pid");
            }
        }
    }

    private static List<JsonElement> results(Prometheus prometheus, String query) throws Exception {
        JsonObject answer = prometheus.query(query);
        assertThat(answer.get("status").getAsString())
                .as("%s: %s", query, answer)
                .isEqualTo("success");
        return answer.getAsJsonObject("data").getAsJsonArray("result").asList();
    }

    private static List<String> queriesOfTheGuide() throws IOException {
        List<String> queries = QUERY.matcher(Files.readString(GUIDE))
                .results()
                .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                .toList();
        assertThat(queries).hasSizeGreaterThan(1);
        return queries;
    }

    /** Returns the queries of all panels, with Grafana's variables filled in. */
    private static List<String> queries() throws IOException {
        List<String> queries = new ArrayList<>();
        JsonArray panels = JsonParser.parseString(Files.readString(DOCS.resolve("grafana-dashboard.json")))
                .getAsJsonObject()
                .getAsJsonArray("panels");
        for (JsonElement panel : panels) {
            JsonArray targets = panel.getAsJsonObject().getAsJsonArray("targets");
            if (targets != null) {
                targets.forEach(target -> queries.add(target.getAsJsonObject()
                        .get("expr")
                        .getAsString()
                        .replace("$__rate_interval", "10s")
                        .replace("$instance", ".*")));
            }
        }
        assertThat(queries).hasSizeGreaterThan(20);
        return queries;
    }
}
