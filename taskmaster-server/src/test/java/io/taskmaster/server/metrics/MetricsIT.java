package io.taskmaster.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Tests of the scrape of a whole server. */
final class MetricsIT {

    @Test
    void whatIsDoneIsThereAndAsPrometheusWantsIt() throws Exception {
        try (TaskMasterServer server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
                TaskMasterClient client = TaskMasterClient.builder("127.0.0.1:" + server.rpcPort())
                        .build();
                HttpClient http = HttpClient.newHttpClient()) {
            client.blocking().enqueue(QueueKey.of("g", "q"), Pid.of("p"), Bytes.of("data"));
            HttpResponse<String> scrape = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort() + "/metrics"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(scrape.statusCode()).isEqualTo(200);
            assertThat(scrape.headers().firstValue("content-type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(scrape.body().lines())
                    .contains(
                            "taskmaster_requests_seconds_count{method=\"UpdateTasks\",status=\"ok\",waited=\"false\"} 1",
                            "taskmaster_queues_used 1.0",
                            "taskmaster_clock_steps_total 0.0")
                    .contains("taskmaster_recovery_seconds_count 256")
                    .anyMatch(
                            line -> line.startsWith(
                                    "taskmaster_store_operations_seconds_bucket{operation=\"put_if_absent\",outcome=\"done\",le=\"0.01\"}"))
                    .anyMatch(line -> line.startsWith("taskmaster_clock_ahead_seconds "))
                    .anyMatch(line -> line.startsWith("jvm_memory_used_bytes"));
            Programs.run(Programs.find("promtool"), scrape.body(), "check", "metrics");
        }
    }
}
