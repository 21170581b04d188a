package io.taskmaster.proxy.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.taskmaster.proxy.TestPorts;
import io.taskmaster.proxy.access.Protection;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.health.NodeHealth;
import io.taskmaster.proxy.metrics.Metrics;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the framing of requests and responses, byte by byte. As far as the JDK's own server handles a request, both
 * servers get the same requests and must agree: as many answers, with the same statuses, and the connection open or
 * closed after them. Elsewhere the expectation is that of RFC 9112 and the behaviour of nginx.
 */
final class HttpFramingTest {

    private static final String LINE = "GET /healthz HTTP/1.1\r\n";
    private static final String HOST = "Host: localhost\r\n";
    private static final String GET = LINE + HOST + "\r\n";

    /** The end of each conversation: its answer is the last one, since it asks for the connection to be closed. */
    private static final String LAST = LINE + HOST + "Connection: close\r\n\r\n";

    private final TestPorts config = TestPorts.free();
    private final Metrics metrics = new Metrics();
    private final Protection protection = Protection.open(config.listen(), config.access());
    private final FakeService service;
    private final HttpServer server;
    private final com.sun.net.httpserver.HttpServer known;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    HttpFramingTest() throws IOException {
        service = new FakeService();
        server = HttpServer.start(
                config.listen(), config.inFlight(), () -> NodeHealth.SERVING, service::channelFor, metrics, protection);
        known = com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        known.setExecutor(threads);
        known.createContext("/", HttpFramingTest::answer);
        known.start();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] body = "{}\n".getBytes(ISO_8859_1);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(200, head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @AfterEach
    void stop() {
        known.stop(0);
        threads.shutdownNow();
        server.close();
        protection.close();
        metrics.close();
        service.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                LAST,
                GET + LAST,
                GET + GET + GET + LAST,
                "\r\n" + LAST,
                LINE + HOST + "Connection: Close\r\n\r\n",
                "GET /healthz HTTP/1.0\r\n\r\n",
                "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n" + GET,
                "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /healthz HTTP/1.0\r\n\r\n",
                "GET http://localhost/healthz HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n",
                "POST /v1/list HTTP/1.1\r\n" + HOST + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
                        + LAST,
                "POST /v1/list HTTP/1.1\r\n" + HOST
                        + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"
                        + LAST,
            })
    void whatTheServerOfTheJdkAnswersIsAnsweredLikewise(String requests) throws IOException {
        assertThat(statuses(server.port(), requests))
                .isEqualTo(statuses(known.getAddress().getPort(), requests))
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"GET /healthz HTTP/1.0\n\n", "GET /healthz HTTP/1.1\nHost: localhost\nConnection: close\n\n"})
    void aLineMayEndWithLineFeedAlone(String request) throws IOException {
        assertThat(statuses(server.port(), request)).containsExactly(200);
    }

    @Test
    void checksOfLoadBalancersAreAnswered() throws IOException {
        // HAProxy: option httpchk. nginx: proxy_http_version 1.0. ab: keep-alive by its own header.
        assertThat(statuses(server.port(), "OPTIONS /healthz HTTP/1.0\r\n\r\n")).containsExactly(405);
        assertThat(statuses(server.port(), "HEAD /healthz HTTP/1.0\r\n\r\n")).containsExactly(200);
        assertThat(statuses(server.port(), "GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"))
                .containsExactly(200);
        assertThat(converse(server.port(), "GET /healthz HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n" + LAST))
                .containsIgnoringCase("connection: keep-alive");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /healthz HTTP/1.1\r\n\r\n",
                "GET /healthz HTTP/1.1\r\n" + HOST + HOST + "\r\n",
                "GET healthz HTTP/1.1\r\n" + HOST + "\r\n",
                "GET /a b HTTP/1.1\r\n" + HOST + "\r\n",
                "POST /v1/list HTTP/1.1\r\n" + HOST + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                "POST /v1/list HTTP/1.1\r\n" + HOST + "Content-Length: -1\r\n\r\n{}",
            })
    void whatCannotBeFramedForSureIsRefusedAndTheConnectionClosed(String request) throws IOException {
        assertThat(statuses(server.port(), request + GET)).containsExactly(400);
    }

    @Test
    void aHeadThatIsTooLargeIsRefused() throws IOException {
        assertThat(statuses(server.port(), LINE + HOST + "X: " + "x".repeat(Limits.HTTP_HEADER_BYTES) + "\r\n\r\n"))
                .containsExactly(431);
        assertThat(statuses(
                        server.port(), "GET /" + "x".repeat(Limits.HTTP_LINE_BYTES) + " HTTP/1.1\r\n" + HOST + "\r\n"))
                .containsExactly(414);
    }

    @Test
    void aBodyThatIsAskedForFirstIsAskedForOnceItIsLetIn() throws IOException {
        String head = "POST /v1/list HTTP/1.1\r\n" + HOST
                + "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\nExpect: 100-continue\r\n";
        try (var socket = open(server.port())) {
            send(socket, head + "\r\n");
            assertThat(HttpCaller.read(socket, "\r\n\r\n")).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            send(socket, "{}");
            assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
                    .startsWith("HTTP/1.1 200 ");
        }
        assertThat(statuses(server.port(), head + "Origin: http://evil.example\r\n\r\n"))
                .containsExactly(403);
    }

    @Test
    void theAuthorityOfTheTargetCountsOverTheHost() throws IOException {
        assertThat(statuses(server.port(), "GET http://evil.example/healthz HTTP/1.1\r\n" + HOST + "\r\n" + LAST))
                .containsExactly(421, 200);
        assertThat(statuses(
                        server.port(),
                        "GET http://localhost/healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
                .containsExactly(200);
    }

    private static List<Integer> statuses(int port, String requests) throws IOException {
        var statuses = new ArrayList<Integer>();
        for (String line : converse(port, requests).lines().toList()) {
            if (line.startsWith("HTTP/1.1 ")) {
                statuses.add(Integer.parseInt(line.substring(9, 12)));
            }
        }
        return statuses;
    }

    /**
     * Returns all that comes until the server closes the connection, which it must: the test does not close the socket
     * before.
     */
    private static String converse(int port, String requests) throws IOException {
        try (var socket = open(port)) {
            send(socket, requests);
            var read = new StringBuilder();
            InputStream in = socket.getInputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                read.append((char) next);
            }
            return read.toString();
        }
    }

    private static Socket open(int port) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static void send(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }
}
