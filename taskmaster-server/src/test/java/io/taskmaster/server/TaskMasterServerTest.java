package io.taskmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.proxy.route.FakeRouter;
import io.taskmaster.server.config.ServerConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of the assembled program with a fake node. */
final class TaskMasterServerTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final QueueKey QUEUE = QueueKey.of("q");

    private final FakeNode node = new FakeNode(4);

    @Test
    void aServerThatHasStartedServesTheClientAndSaysSo() throws Exception {
        try (var server = TaskMasterServer.start(TestConfig.freePorts(), (_, _) -> node);
                var client = TaskMasterClient.connect("127.0.0.1:" + server.rpcPort())) {
            assertThat(client.enqueue(QUEUE, Bytes.of("data")).get().success()).isTrue();

            HttpResponse<String> health = get(server, "/healthz");
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.body()).startsWith("{\"status\":\"SERVING\",\"reason\":\"\",");
            assertThat(health.headers().firstValue("content-type")).contains("application/json");
            assertThat(get(server, "/nothing").statusCode()).isEqualTo(404);
        }
        assertThat(node.isClosed()).isTrue();
    }

    @Test
    void stoppingRefusesTheLongPollsAndSaysUnhealthyMeanwhile() throws Exception {
        node.holding();
        try (var server = TaskMasterServer.start(TestConfig.freePorts(), (_, _) -> node);
                var client = connectWithoutRetries(server)) {
            var poll = client.lease(LeaseRequest.from(QUEUE).maxWait(Duration.ofSeconds(50)));
            await().atMost(LIMIT).until(() -> node.held.size() == 1);

            CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(server::stop);
            FakeRouter.Held held = node.held.remove();
            await().atMost(LIMIT).until(held.sink()::isCancelled);
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(503);
            assertThat(get(server, "/v1/list").statusCode()).isEqualTo(503);
            assertThat(get(server, "/v1/list").body()).contains("\"reason\":\"SHUTTING_DOWN\"");
            assertThat(stopped).isNotDone();
            held.sink().reply(new Reply.Leased(List.of()));

            assertThat(poll).failsWithin(LIMIT).withThrowableThat().withMessageContaining("leases no more tasks");
            assertThat(stopped.get()).isTrue();
            assertThat(server.stop()).as("again").isTrue();
        }
    }

    @Test
    void stoppingGivesUpOnWhatIsNotAnsweredWithinTheTimeout() throws Exception {
        node.holding();
        ServerConfig impatient =
                TestConfig.reader().set("shutdown.timeout", "50ms").read();
        try (var server = TaskMasterServer.start(impatient, (_, _) -> node);
                var client = connectWithoutRetries(server)) {
            var enqueue = client.enqueue(QUEUE, Bytes.of("data"));
            await().atMost(LIMIT).until(() -> node.held.size() == 1);

            assertThat(server.stop()).isFalse();

            assertThat(node.isClosed()).isTrue();
            assertThat(enqueue).failsWithin(LIMIT);
        }
    }

    @Test
    void aPortThatIsTakenIsNamedAndTheNodeIsClosedAgain() throws Exception {
        try (var server = TaskMasterServer.start(TestConfig.freePorts(), (_, _) -> new FakeNode(1))) {
            for (String key : List.of("listen", "http")) {
                String taken = "127.0.0.1:" + (key.equals("listen") ? server.rpcPort() : server.httpPort());
                var second = new FakeNode(1);

                assertThatThrownBy(() -> TaskMasterServer.start(
                                TestConfig.reader().set(key, taken).read(), (_, _) -> second))
                        .isInstanceOfSatisfying(
                                StartException.class,
                                e -> assertThat(e.status()).isEqualTo(ExitStatus.FAILURE))
                        .hasMessageContaining(key + ": " + taken);
                assertThat(second.isClosed()).isTrue();
            }
        }
    }

    @Test
    void nothingIsLeftRunningWhenTheStartFailsUnexpectedly() {
        var broken = new FakeNode(4);
        broken.failingToCount(new NoClassDefFoundError("io/somewhere/Missing"));

        assertThatThrownBy(() -> TaskMasterServer.start(TestConfig.freePorts(), (_, _) -> broken))
                .isInstanceOf(NoClassDefFoundError.class);

        assertThat(broken.isClosed()).isTrue();
    }

    @Test
    void dataThatCannotBeUsedKeepTheirExitStatus() {
        assertThatThrownBy(() -> TaskMasterServer.start(TestConfig.freePorts(), (_, _) -> {
                    throw new StartException(ExitStatus.DATA_UNUSABLE, "in use by process 7", null);
                }))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.status().code()).isEqualTo(3))
                .hasMessage("in use by process 7");
    }

    private static TaskMasterClient connectWithoutRetries(TaskMasterServer server) {
        return TaskMasterClient.builder("127.0.0.1:" + server.rpcPort())
                .maxRetries(0)
                .build();
    }

    private static HttpResponse<String> get(TaskMasterServer server, String path)
            throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort() + path))
                            .build(),
                    BodyHandlers.ofString());
        }
    }
}
