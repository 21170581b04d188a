package io.taskmaster.proxy.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.json.ApiOperation;
import io.taskmaster.proxy.json.MessageWriter;
import io.taskmaster.proxy.json.OpenApi;
import io.taskmaster.proxy.json.OpenApiChecker;
import io.taskmaster.proxy.json.RandomMessages;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.server.fuzz.Fuzzing;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Fuzz test of a whole server on the memory store, from seeds: valid requests, mutated ones, and noise. Each is
 * answered in time, and never with an error of the server. A request that is valid HTTP is accepted, or refused as the
 * caller's fault with a body that the document allows; an accepted request is valid by the document. Errors of HTTP
 * itself have their own statuses.
 */
final class JsonFuzzTest {

    private static final String JSON = "application/json";

    /** Values, of which some fit a field of the contract and some fit none. */
    private static final List<JsonElement> JUNK = List.of(
            JsonNull.INSTANCE,
            JsonParser.parseString("true"),
            JsonParser.parseString("0"),
            JsonParser.parseString("-1"),
            JsonParser.parseString("1e400"),
            JsonParser.parseString("1.5"),
            JsonParser.parseString("18446744073709551615"),
            JsonParser.parseString("\"\""),
            JsonParser.parseString("\"q\""),
            JsonParser.parseString("\"/w==\""),
            JsonParser.parseString("\"1ms\""),
            JsonParser.parseString("\"61s\""),
            JsonParser.parseString("\"2026-11-21T10:30:00Z\""),
            JsonParser.parseString("\"\\ud800\""),
            JsonParser.parseString("[]"),
            JsonParser.parseString("{}"),
            JsonParser.parseString("[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]"));

    /** Valid requests, so that more than refusals is tested. */
    private static final List<String> VALID = List.of(
            "update {\"enqueue\":[{\"queue\":\"q\",\"pid\":\"a\",\"data\":\"d\",\"headers\":{\"k\":\"v\"}},{\"queue\":\"r\"}]}",
            "update {\"dequeue\":[{\"queue\":\"q\",\"pid\":\"a\"}],\"release\":[{\"queue\":\"q\",\"pid\":\"b\",\"lease_id\":\"7\"}]}",
            "update {\"renew\":[{\"queue\":\"q\",\"pid\":\"a\",\"lease_id\":3,\"lease\":\"1m\"}]}",
            "lease {\"queues\":{\"names\":[\"q\"]},\"max_tasks\":3,\"lease\":\"5ms\",\"wait\":\"1ms\"}",
            "lease {\"queues\":{\"name_re\":\".*\"},\"lease\":0.005,\"worker\":\"w\"}",
            "batch {\"operations\":[{\"update\":{\"enqueue\":[{\"queue\":\"q\"}]}},{\"lease\":{\"queues\":{\"names\":[\"q\"]}}}]}",
            "list {\"queues\":{\"name_re\":\".*\"},\"min_tasks\":\"1\",\"max_queues\":2}",
            "describe {\"queues\":{\"names\":[\"q\",\"r\"]},\"leased_sample\":2}",
            "peek {\"queue\":\"q\",\"with_data\":true,\"max_tasks\":2,\"from_pid\":\"a\"}",
            "delete {\"queues\":{\"names\":[\"r\"]}}",
            "configure {\"queue\":\"p\",\"options\":{\"paused\":true,\"max_leased\":3}}");

    private final OpenApiChecker document = new OpenApiChecker(OpenApi.document("1"));
    private final Map<Integer, Integer> answers = new TreeMap<>();

    @Test
    void whateverIsSentIsAnsweredAsTheDocumentSays() throws Exception {
        try (var server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
                var caller = new HttpCaller(server.httpPort())) {
            long tried = Fuzzing.run(random -> {
                switch (random.nextInt(16)) {
                    case 0 -> tryTransport(caller, random);
                    case 1, 2 -> tryQuery(caller, random);
                    default -> tryBody(caller, random);
                }
            });

            assertThat(answers.get(200)).as("accepted, of %s", answers).isGreaterThan((int) (tried / 20));
            assertThat(answers.get(400)).as("refused, of %s", answers).isGreaterThan((int) (tried / 20));
            assertThat(caller.get("/healthz").status()).isEqualTo(200);
        }
    }

    private void tryBody(HttpCaller caller, SplittableRandom random) throws Exception {
        String chosen = request(random);
        int space = chosen.indexOf(' ');
        String path = ApiOperation.PREFIX + chosen.substring(0, space);
        byte[] body = noise(shake(chosen.substring(space + 1), random), random);
        HttpAnswer answer = caller.send("POST", path, JSON, body);
        check(path, "post", answer, new String(body, UTF_8));
        if (answer.status() == 200) {
            assertThat(document.takes(path, new String(body, UTF_8)))
                    .as("accepted: %s", new String(body, UTF_8))
                    .isTrue();
        }
    }

    private void tryQuery(HttpCaller caller, SplittableRandom random) throws Exception {
        List<String> names = List.of(
                "group", "queue", "names", "names_base64", "name_re", "from_pid_base64", "max_tasks", "with_data", "x");
        List<String> values = List.of("", "q", "/w==", "true", "1", "-1", "(", "é");
        var query = new StringBuilder("?");
        for (int i = random.nextInt(4); i > 0; i--) {
            query.append(names.get(random.nextInt(names.size())))
                    .append('=')
                    .append(URLEncoder.encode(values.get(random.nextInt(values.size())), UTF_8))
                    .append(i > 1 ? "&" : "");
        }
        String path = ApiOperation.PREFIX + List.of("list", "describe", "peek").get(random.nextInt(3));
        check(path, "get", caller.get(path + query), query.toString());
    }

    /** Sends a request that is refused before it is read as one of the contract. */
    private static void tryTransport(HttpCaller caller, SplittableRandom random) throws Exception {
        String path =
                ApiOperation.ALL.get(random.nextInt(ApiOperation.ALL.size())).path();
        byte[] body = noise(VALID.get(random.nextInt(VALID.size())), random);
        switch (random.nextInt(4)) {
            case 0 -> refused(404, caller.send("POST", path + random.nextInt(10), JSON, body));
            case 1 -> refused(405, caller.send(random.nextBoolean() ? "PUT" : "DELETE", path, JSON, body));
            case 2 -> refused(414, caller.get(path + "?names=" + "q".repeat(Limits.HTTP_LINE_BYTES)));
            default -> refused(415, caller.send("POST", path, random.nextBoolean() ? "" : "text/plain", body));
        }
    }

    private static void refused(int status, HttpAnswer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.json().keySet()).containsExactly("error");
    }

    private void check(String path, String verb, HttpAnswer answer, String request) {
        answers.merge(answer.status(), 1, Integer::sum);
        assertThat(answer.status())
                .as("%s %s: %s", path, request, answer.body())
                .isIn(200, 400);
        document.assertAnswer(path, verb, answer.status(), answer.body());
    }

    /** Returns an operation and its body. Waits are short, since a granted one only takes time. */
    private static String request(SplittableRandom random) throws IOException {
        if (random.nextBoolean()) {
            return VALID.get(random.nextInt(VALID.size()));
        }
        ApiOperation<?, ?> apiOperation = ApiOperation.ALL.get(random.nextInt(ApiOperation.ALL.size()));
        Message request = RandomMessages.sane(random).like(apiOperation.request());
        var text = new StringWriter();
        MessageWriter.write(request, text);
        return apiOperation.name() + " " + text.toString().replaceAll("\"wait\":\"[^\"]*\"", "\"wait\":\"1ms\"");
    }

    /** Replaces up to two values. */
    private static String shake(String json, SplittableRandom random) {
        JsonElement request = JsonParser.parseString(json);
        for (int i = random.nextInt(3); i > 0; i--) {
            request = shaken(request, random);
        }
        return request.toString();
    }

    private static JsonElement shaken(JsonElement value, SplittableRandom random) {
        if (random.nextInt(6) == 0) {
            return JUNK.get(random.nextInt(JUNK.size())).deepCopy();
        }
        if (value instanceof JsonObject object && object.size() > 0) {
            String name = List.copyOf(object.keySet()).get(random.nextInt(object.size()));
            JsonElement inner = object.remove(name);
            if (random.nextInt(6) != 0) {
                object.add(random.nextInt(8) == 0 ? name + "_base64" : name, shaken(inner, random));
            }
        } else if (value instanceof JsonArray array && !array.isEmpty()) {
            int at = random.nextInt(array.size());
            array.set(at, shaken(array.get(at), random));
        }
        return value;
    }

    /** Mutates the bytes in one case of four. */
    private static byte[] noise(String json, SplittableRandom random) {
        byte[] bytes = json.getBytes(UTF_8);
        return random.nextInt(4) == 0 ? Fuzzing.mutated(bytes, random) : bytes;
    }
}
