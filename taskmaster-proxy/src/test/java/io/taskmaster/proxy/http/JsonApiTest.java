package io.taskmaster.proxy.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.TestPorts;
import io.taskmaster.proxy.access.Caller;
import io.taskmaster.proxy.access.Protection;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.health.NodeHealth;
import io.taskmaster.proxy.json.ApiOperation;
import io.taskmaster.proxy.json.OpenApi;
import io.taskmaster.proxy.json.OpenApiChecker;
import io.taskmaster.proxy.json.RandomMessages;
import io.taskmaster.proxy.metrics.Metrics;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.UpdateRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the HTTP port over real connections, in front of a fake service. */
final class JsonApiTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** An error for each status of an operation, other than those of HTTP itself. */
    private static final Map<Integer, ErrorCode> FAILURES = Map.of(
            400, ErrorCode.PID_TOO_LONG,
            401, ErrorCode.UNAUTHENTICATED,
            403, ErrorCode.PERMISSION_DENIED,
            429, ErrorCode.OVERLOADED,
            500, ErrorCode.OUTCOME_UNKNOWN,
            501, ErrorCode.NOT_SERVED,
            503, ErrorCode.PARTITION_OPENING,
            504, ErrorCode.DEADLINE_EXCEEDED);

    /** Valid values of parameters that are not bytes. */
    private static final Map<String, String> PARAMETERS = Map.ofEntries(
            Map.entry("all_groups", "true"),
            Map.entry("any_group", "true"),
            Map.entry("open", "true"),
            Map.entry("configured", "true"),
            Map.entry("with_data", "true"),
            Map.entry("descending", "true"),
            Map.entry("without_dead_letters", "true"),
            Map.entry("min_tasks", "1"),
            Map.entry("min_available", "1"),
            Map.entry("max_queues", "1"),
            Map.entry("leased_sample", "1"),
            Map.entry("max_tasks", "1"),
            Map.entry("max_bytes", "1"));

    private final AtomicBoolean serving = new AtomicBoolean(true);
    private final FakeService service;
    private final Metrics metrics = new Metrics();
    private HttpServer server;
    private HttpCaller caller;

    JsonApiTest() throws IOException {
        service = new FakeService();
    }

    @BeforeEach
    void start() {
        var config = TestPorts.free();
        server = HttpServer.start(
                config.listen(),
                config.inFlight(),
                () -> serving.get() ? NodeHealth.SERVING : NodeHealth.SERVING.notServing("told to"),
                service::channelFor,
                metrics,
                Protection.open(config.listen(), config.access()));
        caller = new HttpCaller(server.port());
    }

    @AfterEach
    void stop() {
        caller.close();
        server.close();
        metrics.close();
        service.close();
    }

    @Test
    void everyPathStatusAndParameterOfTheDocumentIsAsItSays() throws Exception {
        HttpAnswer document = caller.get(OpenApi.PATH);
        var checker = new OpenApiChecker(document.body());
        checker.assertAnswer(OpenApi.PATH, "get", document.status(), document.body());
        for (ApiOperation<?, ?> apiOperation : ApiOperation.ALL) {
            exercise(apiOperation, checker);
        }
        HttpAnswer identity = caller.get("/whoami");
        assertThat(identity.json()).hasToString("{\"name\":\"(anybody)\",\"role\":\"FULL\"}");
        checker.assertAnswer("/whoami", "get", identity.status(), identity.body());
        for (boolean state : List.of(true, false)) {
            serving.set(state);
            HttpAnswer health = caller.get("/healthz");
            checker.assertAnswer("/healthz", "get", health.status(), health.body());
        }

        assertThat(checker.unused())
                .as("parts of the document that nothing shows")
                .isEmpty();
    }

    private void exercise(ApiOperation<?, ?> apiOperation, OpenApiChecker checker) throws Exception {
        String path = apiOperation.path();
        for (long seed = 0; seed < 10; seed++) {
            Message reply = RandomMessages.sane(new SplittableRandom(seed)).like(apiOperation.reply());
            service.answering((called, request) -> reply);
            check(checker, path, "post", caller.post(path, "{}"), 200);
            if (apiOperation.typed()) {
                check(checker, path, "get", caller.get(path), 200);
            }
        }
        for (Map.Entry<Integer, ErrorCode> failure : FAILURES.entrySet()) {
            service.answering((called, request) -> {
                throw new TaskMasterException(failure.getValue(), "because", Duration.ofMillis(1500), null);
            });
            HttpAnswer answer = caller.post(path, "{}");
            check(checker, path, "post", answer, failure.getKey());
            assertThat(answer.error().get("reason").getAsString())
                    .isEqualTo(failure.getValue().name());
            assertThat(answer.header("retry-after")).contains("2");
            if (apiOperation.typed()) {
                check(checker, path, "get", caller.get(path), failure.getKey());
            }
        }
        check(checker, path, "post", caller.send("POST", path, "text/plain", "{}".getBytes(UTF_8)), 415);
        check(checker, path, "post", announcing(path, Limits.JSON_BODY_BYTES + 1L), 413);
        if (apiOperation.typed()) {
            exerciseParameters(apiOperation, checker);
        }
    }

    private void exerciseParameters(ApiOperation<?, ?> apiOperation, OpenApiChecker checker) throws Exception {
        service.answering((called, request) -> called.reply());
        for (var parameter : checker.document()
                .getAsJsonObject("paths")
                .getAsJsonObject(apiOperation.path())
                .getAsJsonObject("get")
                .getAsJsonArray("parameters")) {
            JsonObject described = parameter.getAsJsonObject();
            String name = described.get("name").getAsString();
            boolean list =
                    described.getAsJsonObject("schema").get("type").toString().equals("\"array\"");
            JsonArray allowed = described.getAsJsonObject("schema").getAsJsonArray("enum");
            String value = allowed == null
                    ? PARAMETERS.getOrDefault(name, "YQ==")
                    : allowed.get(allowed.size() - 1).getAsString();
            String json = PARAMETERS.containsKey(name) ? value : "\"" + value + "\"";
            checker.assertParameter(apiOperation.path(), name, list ? "[" + json + "]" : json);

            HttpAnswer answer = caller.get(apiOperation.path() + "?" + name + "=" + value);

            assertThat(answer.status()).as("%s: %s", name, answer.body()).isEqualTo(200);
        }
    }

    private static void check(OpenApiChecker checker, String path, String verb, HttpAnswer answer, int status) {
        assertThat(answer.status()).as("%s %s: %s", verb, path, answer.body()).isEqualTo(status);
        assertThat(answer.header("content-type")).contains("application/json");
        checker.assertAnswer(path, verb, status, answer.body());
    }

    @Test
    void aRequestReachesTheServiceInTheNameOfItsCaller() throws Exception {
        caller.post("/v1/update", "{\"group\":\"g\",\"enqueue\":[{\"queue\":\"q\",\"data_base64\":\"/w==\"}]}");

        assertThat(service.requests).singleElement().isInstanceOfSatisfying(UpdateRequest.class, update -> {
            assertThat(update.getGroup().toStringUtf8()).isEqualTo("g");
            assertThat(update.getEnqueue(0).getData()).isEqualTo(ByteString.copyFrom(new byte[] {-1}));
        });
        assertThat(service.callers)
                .singleElement()
                .extracting(Caller::address)
                .isInstanceOfSatisfying(
                        InetSocketAddress.class,
                        address -> assertThat(address.getAddress().isLoopbackAddress())
                                .isTrue());
    }

    @Test
    void aReadCanBeTypedAsAnAddress() throws Exception {
        caller.get("/v1/peek?group=a%20b&queue=q%2Fr&with_data=true&max_tasks=3");
        caller.get("/v1/list?names=a&names=b");

        assertThat(service.requests.poll()).isInstanceOfSatisfying(PeekRequest.class, peek -> {
            assertThat(peek.getGroup().toStringUtf8()).isEqualTo("a b");
            assertThat(peek.getQueue().toStringUtf8()).isEqualTo("q/r");
            assertThat(peek.getWithData()).isTrue();
            assertThat(peek.getMaxTasks()).isEqualTo(3);
        });
        assertThat(service.requests.poll())
                .isInstanceOfSatisfying(
                        ListRequest.class,
                        list -> assertThat(list.getQueues().getNamesCount()).isEqualTo(2));
    }

    @Test
    void whatIsWrongWithABodyIsTheCallersFaultAndReachesNobody() throws Exception {
        for (String body : List.of("", "{", "[]", "{\"nothing\":1}", "{}{}", "{\"group\":\"\\ud800\"}")) {
            assertRefused(caller.post("/v1/update", body), 400);
        }
        assertRefused(caller.post("/v1/update?group=g", "{}"), 400);
        assertRefused(
                caller.send("POST", "/v1/update", "application/json", new byte[] {'{', '"', (byte) 0xff, '"'}), 400);
        assertRefused(caller.get("/v1/list?nothing=1"), 400);
        assertRefused(caller.get("/v1/list?names=%ff"), 400);
        assertThat(service.requests).isEmpty();
    }

    @Test
    void pathsAndVerbsThatAreNotServedSaySo() throws Exception {
        assertRefused(caller.get("/v1/nothing"), 404);
        assertRefused(caller.post("/v1/nothing", "{}"), 404);
        assertRefused(caller.get("/nothing"), 404);
        HttpAnswer wrongVerb = caller.get("/v1/update");
        assertRefused(wrongVerb, 405);
        assertThat(wrongVerb.header("allow")).contains("POST");
        assertThat(caller.send("DELETE", "/v1/list", "", new byte[0]).header("allow"))
                .contains("GET, POST");
        assertRefused(caller.send("POST", "/v1/update", "", new byte[0]), 415);
    }

    private static void assertRefused(HttpAnswer answer, int status) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.header("content-type")).contains("application/json");
        assertThat(answer.error().keySet()).containsExactly("code", "reason", "message", "advice");
    }

    @Test
    void aLineThatIsNotHttpIsRefusedInJsonToo() throws Exception {
        for (String line : List.of(
                "GET /v1/list?names=%zz|^ HTTP/1.1", "GET /a<b HTTP/1.1", "GET /" + "a".repeat(33_000) + " HTTP/1.1")) {
            HttpAnswer answer = caller.raw(line + "\r\nHost: localhost\r\n\r\n");
            assertThat(answer.status()).as(line).isBetween(400, 499);
            assertThat(answer.error().get("advice").getAsString()).isEqualTo("CALLER_FAULT");
        }
    }

    @Test
    void aCallerWhoHangsUpEndsItsCall() throws Exception {
        service.answering((apiOperation, request) -> null);
        try (Socket socket = caller.open()) {
            HttpCaller.post(socket, "/v1/lease", "{\"wait\":\"60s\"}");
            await().atMost(LIMIT).until(() -> service.held.size() == 1);
            assertThat(service.held.element().isCancelled()).isFalse();
        }
        await().atMost(LIMIT).until(() -> service.held.element().isCancelled());
    }

    @Test
    void aCallerWhoHangsUpGivesBackTheMemoryOfItsBody() throws Exception {
        var config = TestPorts.reader().set("in-flight.bytes", "33MiB").read();
        // A size that fits once into the budget of this server, and not twice.
        String padded = "{\"wait\":\"60s\"}" + " ".repeat(Limits.JSON_BODY_BYTES / 8 * 5);
        service.answering((apiOperation, request) -> null);
        try (HttpServer small = HttpServer.start(
                        config.listen(),
                        config.inFlight(),
                        () -> NodeHealth.SERVING,
                        service::channelFor,
                        metrics,
                        Protection.open(config.listen(), config.access()));
                var other = new HttpCaller(small.port())) {
            try (Socket socket = other.open()) {
                HttpCaller.post(socket, "/v1/lease", padded);
                await().atMost(LIMIT).until(() -> service.held.size() == 1);
            }
            service.answering((apiOperation, request) -> apiOperation.reply());

            await().atMost(LIMIT).until(() -> other.post("/v1/lease", padded).status() == 200);
        }
    }

    @Test
    void aCallerWhoStaysGetsTheAnswerOfALongPollAndMayAskAgain() throws Exception {
        service.answering((apiOperation, request) -> null);
        try (Socket socket = caller.open()) {
            for (int i = 0; i < 2; i++) {
                HttpCaller.post(socket, "/v1/lease", "{\"wait\":\"60s\"}");
                await().atMost(LIMIT).until(() -> service.held.size() == 1);
                // Long enough for the checks of the connection to begin.
                await().pollDelay(Duration.ofMillis(400)).until(() -> true);
                assertThat(service.held.element().isCancelled()).isFalse();
                service.held.remove().answer();
                assertThat(HttpCaller.read(socket, "{\"tasks\":[]}\n")).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void closingThePortEndsLongPolls() throws Exception {
        service.answering((apiOperation, request) -> null);
        try (Socket socket = caller.open()) {
            HttpCaller.post(socket, "/v1/lease", "{\"wait\":\"60s\"}");
            await().atMost(LIMIT).until(() -> service.held.size() == 1);
            server.close();
            await().atMost(LIMIT).until(() -> service.held.element().isCancelled());
        }
    }

    /** Announces a body of this size without sending it. */
    private HttpAnswer announcing(String path, long bytes) throws IOException {
        return caller.raw(
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + bytes + "\r\n\r\n");
    }
}
