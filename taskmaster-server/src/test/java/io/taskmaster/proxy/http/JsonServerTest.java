package io.taskmaster.proxy.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the life of a task over HTTP, on a whole server. */
final class JsonServerTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private TaskMasterServer server;
    private HttpCaller caller;

    @BeforeEach
    void start() throws StartException {
        server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
        caller = new HttpCaller(server.httpPort());
    }

    @AfterEach
    void stop() {
        caller.close();
        server.close();
    }

    @Test
    void aTaskIsEnqueuedLeasedAndHandedOn() throws Exception {
        JsonObject enqueued =
                post("/v1/update", "{\"enqueue\":[{\"queue\":\"fetch\",\"pid\":\"http://a/\",\"data\":\"é\"}]}");
        assertThat(enqueued.get("success").getAsBoolean()).isTrue();
        assertThat(enqueued.getAsJsonArray("enqueue_status")).hasToString("[\"OK\"]");

        JsonObject task = post("/v1/lease", "{\"queues\":{\"names\":[\"fetch\"]},\"lease\":\"30s\",\"worker\":\"me\"}")
                .getAsJsonArray("tasks")
                .get(0)
                .getAsJsonObject();
        assertThat(task.get("pid").getAsString()).isEqualTo("http://a/");
        assertThat(task.get("data").getAsString()).isEqualTo("é");

        JsonObject described = get("/v1/describe?names=fetch&leased_sample=1")
                .getAsJsonArray("queues")
                .get(0)
                .getAsJsonObject();
        assertThat(described.getAsJsonObject("summary").get("leased").getAsString())
                .isEqualTo("1");
        JsonObject lease = described.getAsJsonArray("leased_sample").get(0).getAsJsonObject();
        assertThat(lease.get("worker").getAsString()).isEqualTo("me");
        assertThat(lease.get("address").getAsString()).startsWith("127.0.0.1:");

        JsonObject handedOn = post(
                "/v1/update",
                "{\"dequeue\":[{\"queue\":\"fetch\",\"pid\":\"http://a/\",\"lease_id\":" + task.get("lease_id")
                        + "}],\"enqueue\":[{\"queue\":\"index\",\"data_base64\":\"gA==\"}]}");
        assertThat(handedOn.getAsJsonArray("dequeue_status")).hasToString("[\"OK\"]");

        JsonArray queues = get("/v1/list").getAsJsonArray("queues");
        assertThat(queues).hasSize(1);
        assertThat(queues.get(0).getAsJsonObject().get("name").getAsString()).isEqualTo("index");
        JsonObject peeked = get("/v1/peek?queue=index&with_data=true")
                .getAsJsonArray("tasks")
                .get(0)
                .getAsJsonObject();
        assertThat(peeked.get("data_base64").getAsString()).isEqualTo("gA==");
        assertThat(peeked.has("pid_base64")).as("an assigned PID is no text").isTrue();

        post("/v1/delete", "{\"queues\":{\"names\":[\"index\"]}}");
        assertThat(get("/v1/list").getAsJsonArray("queues")).isEmpty();
    }

    @Test
    void aLongPollIsAnsweredWhenATaskComesUp() throws Exception {
        try (Socket socket = caller.open()) {
            HttpCaller.post(socket, "/v1/lease", "{\"queues\":{\"names\":[\"q\"]},\"wait\":\"30s\"}");
            // Long enough for the poll to wait, and for the checks of the connection to begin.
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
            post("/v1/update", "{\"enqueue\":[{\"queue\":\"q\",\"pid\":\"p\"}]}");

            assertThat(HttpCaller.read(socket, "}\n")).contains("\"pid\":\"p\"");
        }
    }

    @Test
    void aLongPollOfSomebodyWhoHungUpLeasesNothing() throws Exception {
        try (Socket socket = caller.open()) {
            HttpCaller.post(socket, "/v1/lease", "{\"queues\":{\"names\":[\"q\"]},\"wait\":\"30s\",\"lease\":\"1h\"}");
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        }
        // The end of the connection is noticed within half a second.
        await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
        post("/v1/update", "{\"enqueue\":[{\"queue\":\"q\",\"pid\":\"p\"}]}");

        assertThat(get("/v1/list")
                        .getAsJsonArray("queues")
                        .get(0)
                        .getAsJsonObject()
                        .get("available")
                        .getAsString())
                .isEqualTo("1");
    }

    @Test
    void limitsOfTheServiceHoldAndKeepTheirReasons() throws Exception {
        HttpAnswer answer =
                caller.post("/v1/update", "{\"enqueue\":[{\"queue\":\"q\",\"pid\":\"" + "p".repeat(5000) + "\"}]}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error().get("reason").getAsString()).isEqualTo("PID_TOO_LONG");
        assertThat(answer.error().get("message").getAsString()).startsWith("enqueue[0].pid: 5000 bytes");
    }

    @Test
    void aTaskOfSixteenMebibytesFitsInBase64() throws Exception {
        String data = "A".repeat((16 << 20) / 3 * 4);

        post("/v1/update", "{\"enqueue\":[{\"queue\":\"q\",\"pid\":\"p\",\"data_base64\":\"" + data + "\"}]}");

        JsonObject peeked =
                get("/v1/peek?queue=q").getAsJsonArray("tasks").get(0).getAsJsonObject();
        assertThat(peeked.get("data_bytes").getAsString()).isEqualTo(Integer.toString((16 << 20) / 3 * 3));
    }

    @Test
    void somebodyWhoLeavesInTheMiddleOfABodyHurtsNobody() throws Exception {
        try (Socket socket = caller.open()) {
            socket.getOutputStream()
                    .write(
                            "POST /v1/update HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"a"
                                    .getBytes(UTF_8));
        }
        HttpAnswer endless = chunked("3200000\r\n" + " ".repeat(0x3200000));
        assertThat(endless.status()).isEqualTo(413);
        assertThat(endless.error().get("reason").getAsString()).isEqualTo("BODY_TOO_LARGE");
        HttpAnswer chunks = chunked("zz\r\n");
        assertThat(chunks.status()).isEqualTo(400);

        await().atMost(LIMIT).until(() -> caller.get("/v1/list").status() == 200);
    }

    private HttpAnswer chunked(String chunks) throws IOException {
        String head = "POST /v1/update HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        return caller.raw(head + "Transfer-Encoding: chunked\r\n\r\n" + chunks);
    }

    private JsonObject post(String path, String json) throws Exception {
        HttpAnswer answer = caller.post(path, json);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private JsonObject get(String path) throws Exception {
        HttpAnswer answer = caller.get(path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }
}
