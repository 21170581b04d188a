package io.taskmaster.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.net.HostAndPort;
import io.taskmaster.cli.Main;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.testkit.TestServer;
import io.taskmaster.tests.JavaProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests of a pipeline whose last worker dies: the page, {@code flow}, {@code top} and {@code /metrics} all report it,
 * and its end once another worker starts.
 */
final class StuckPipelineIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** A span longer than a queue may be without a lease. */
    private static final Duration LONG = Duration.ofSeconds(31);

    private static final QueueKey WORK = QueueKey.of("crawl", "fetch/com");
    private static final QueueKey ARCHIVE = QueueKey.of("crawl", "seen");
    private static final String STUCK =
            "taskmaster_family_waiting_tasks{family=\"fetch/com\",group=\"crawl\",verdict=\"stuck\"} ";
    private static final String KEPT =
            "taskmaster_family_waiting_tasks{family=\"seen\",group=\"crawl\",verdict=\"kept\"} ";

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void everybodySaysThatNobodyWorks() throws Exception {
        try (TestServer server = TestServer.inMemory();
                Browser browser =
                        Browser.open(HostAndPort.fromString(server.httpTarget()).getPort())) {
            fill(server);
            workAndDie(server);
            browser.go("", "Overview");
            await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
                server.advance(LONG);
                assertThat(metrics(server)).contains(STUCK + "99.0", KEPT + "7.0");
            });

            browser.awaitText(
                    ".verdict",
                    "No worker leases from fetch/com any more: 99 tasks wait in 1 of its queues (fetch/com).");
            browser.assertAccessible().assertFits();
            browser.go("#/flow", "Flow").awaitText(".flow", "stuck");
            browser.awaitText(".flow", "kept");
            browser.awaitText(".verdict", "No worker leases from fetch/com");
            browser.assertQuiet();
            assertThat(command(server, "flow", "--over", "0s"))
                    .contains("No worker leases from fetch/com any more: 99 tasks wait in 1 of its queues (fetch/com).")
                    .doesNotContain("No bottlenecks", "in seen");
            assertThat(command(server, "top", "--all-groups"))
                    .contains("worst verdict stuck", "VERDICT")
                    .containsPattern("crawl +fetch/com +stuck")
                    .containsPattern("crawl +seen +kept");

            try (TaskMasterClient worker = TaskMasterClient.connect(server.target())) {
                worker.blocking().lease(LeaseRequest.from(WORK).length(Duration.ofHours(1)));
                await().atMost(TIMEOUT)
                        .untilAsserted(() -> assertThat(metrics(server))
                                .doesNotContain(STUCK)
                                .contains(KEPT));
                assertThat(command(server, "flow", "--over", "0s")).doesNotContain("No worker leases");
                browser.awaitMatch(".verdict", "Backlog in fetch/com: 98 tasks wait, .*");
            }
        }
    }

    private static void fill(TestServer server) {
        for (int i = 0; i < 100; i++) {
            server.client().blocking().enqueue(WORK, Pid.of("p" + i), Bytes.EMPTY);
        }
        for (int i = 0; i < 7; i++) {
            server.client().blocking().enqueue(ARCHIVE, Pid.of("p" + i), Bytes.EMPTY);
        }
    }

    /** Finishes one task, leases another one, and dies. */
    private static void workAndDie(TestServer server) {
        try (TaskMasterClient worker = TaskMasterClient.connect(server.target())) {
            LeasedTask done = worker.blocking()
                    .lease(LeaseRequest.from(WORK).length(LEASE))
                    .getFirst();
            worker.blocking().update(Update.in("crawl").dequeue(done).build());
            worker.blocking().lease(LeaseRequest.from(WORK).length(LEASE));
        }
    }

    private String metrics(TestServer server) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + server.httpTarget() + "/metrics"))
                .timeout(TIMEOUT)
                .build();
        return http.send(request, BodyHandlers.ofString()).body();
    }

    private static String command(TestServer server, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(JavaProgram.onClassPath());
        command.add(Main.class.getName());
        command.addAll(List.of(words));
        command.addAll(List.of("--server", server.target()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
