package io.taskmaster.proxy.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.proxy.TestPorts;
import io.taskmaster.proxy.access.Protection;
import io.taskmaster.proxy.access.Role;
import io.taskmaster.proxy.access.Token;
import io.taskmaster.proxy.health.NodeHealth;
import io.taskmaster.proxy.metrics.Metrics;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of requests that a web page can make a browser send, and of the headers that restrict browsers. */
final class AuthHandlerTest {

    private static final String JSON = "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

    @TempDir
    private Path folder = Path.of("");

    private final FakeService service;
    private final Metrics metrics = new Metrics();
    private TestPorts config = TestPorts.free();
    private Protection protection = Protection.open(config.listen(), config.access());
    private HttpServer server;
    private HttpCaller caller;

    AuthHandlerTest() throws IOException {
        service = new FakeService();
        server = HttpServer.start(
                config.listen(), config.inFlight(), () -> NodeHealth.SERVING, service::channelFor, metrics, protection);
        caller = new HttpCaller(server.port());
    }

    @AfterEach
    void stop() {
        caller.close();
        server.close();
        protection.close();
        metrics.close();
        service.close();
    }

    /** Sends exactly this; reads one JSON object, or the first lines of one. */
    private HttpAnswer ask(String request) throws IOException {
        try (Socket socket = caller.open()) {
            socket.getOutputStream().write(request.getBytes(UTF_8));
            return HttpAnswer.parse(HttpCaller.read(socket, "}\n"));
        }
    }

    private void restart(TestPorts other) {
        caller.close();
        server.close();
        protection.close();
        config = other;
        protection = Protection.open(config.listen(), config.access());
        server = HttpServer.start(
                config.listen(), config.inFlight(), () -> NodeHealth.SERVING, service::channelFor, metrics, protection);
        caller = new HttpCaller(server.port());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /healthz",
                "GET /openapi.json",
                "GET /v1/list",
                "GET /v1/update",
                "PUT /v1/update",
                "GET /v1/list?nothing=1",
                "GET /nothing",
                "BREW /",
                "GET /%zz",
                "nonsense"
            })
    void everyAnswerTellsBrowsersToDoNothingWithIt(String line) throws IOException {
        HttpAnswer answer = ask(line + " HTTP/1.1\r\nHost: localhost\r\n\r\n");

        assertThat(answer.header("content-security-policy")).contains("default-src 'none'; frame-ancestors 'none'");
        assertThat(answer.header("x-content-type-options")).contains("nosniff");
        assertThat(answer.header("referrer-policy")).contains("no-referrer");
        assertThat(answer.header("cross-origin-resource-policy")).contains("same-origin");
        assertThat(answer.header("access-control-allow-origin")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site: cross-site, 403",
        "Sec-Fetch-Site: same-site, 403",
        "Sec-Fetch-Site: same-origin, 200",
        "Sec-Fetch-Site: none, 200",
        "Origin: http://evil.example, 403",
        "Origin: null, 403",
        "Origin: http://localhost:1, 403",
        "Origin: ://, 403",
        "Origin: http://localhost:7480, 200",
        "X-Nothing: said, 200",
    })
    void aPageOfAnotherSiteChangesNothing(String header, int status) throws IOException {
        HttpAnswer answer = ask("POST /v1/update HTTP/1.1\r\nHost: localhost:7480\r\n" + header + "\r\n" + JSON);

        assertThat(answer.status()).isEqualTo(status);
        if (status == 403) {
            assertThat(answer.error().get("reason").getAsString()).isEqualTo("FOREIGN_ORIGIN");
            assertThat(service.requests).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, 200",
        "LOCALHOST:7480, 200",
        "127.0.0.1:1, 200",
        "[::1]:7480, 200",
        "192.0.2.1, 200",
        "evil.example, 421",
        "localhost.evil.example:7480, 421",
    })
    void aNameOfSomebodyElseIsNotOursUnlessATokenIsAskedFor(String host, int status) throws IOException {
        String request = "GET /v1/list HTTP/1.1\r\nHost: " + host + "\r\n";
        assertThat(ask(request + "\r\n").status()).isEqualTo(status);

        Token token = Token.make(Role.READ, "r");
        Path access = Files.writeString(folder.resolve("access"), token.line());
        restart(TestPorts.reader().set("access.file", access.toString()).read());

        assertThat(ask(request + "\r\n").status()).isEqualTo(401);
        assertThat(ask(request + "Authorization: Bearer " + token.secret() + "\r\n\r\n")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aServerOnTheNetworkMayHaveAnyName() throws IOException {
        restart(TestPorts.reader().set("http", "0.0.0.0:0").read());

        assertThat(ask("GET /v1/list HTTP/1.1\r\nHost: taskmaster\r\n\r\n").status())
                .isEqualTo(200);
    }

    @Test
    void aRefusalSaysHowToAskAndComesBeforeTheBody() throws IOException {
        Path access = Files.writeString(
                folder.resolve("access"), Token.make(Role.READ, "r").line());
        restart(TestPorts.reader().set("access.file", access.toString()).read());

        // The body never comes: a server that reads it first would wait for it.
        HttpAnswer answer = ask(
                "POST /v1/update HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n");

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("www-authenticate")).contains("Bearer");
        assertThat(answer.error().get("reason").getAsString()).isEqualTo("UNAUTHENTICATED");
        assertThat(answer.error().get("advice").getAsString()).isEqualTo("NOT_ALLOWED");
    }
}
