package io.taskmaster.proxy.connections;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the limits on connections, on both ports of a whole server. */
final class ConnectionsTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Test
    void aConnectionTooManyIsClosedAndThoseThatAreOpenAreNotTouched() throws Exception {
        try (var server = TaskMasterServer.start(
                TestConfig.reader().set("connections.max", "3").read(), Nodes.factory())) {
            for (int port : List.of(server.rpcPort(), server.httpPort())) {
                List<Socket> open = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    open.add(connect(port));
                }
                assertThat(isClosed(connect(port))).isTrue();
                open.removeFirst().close();
                await().atMost(LIMIT).until(() -> {
                    Socket next = connect(port);
                    next.setSoTimeout(500);
                    try {
                        return next.getInputStream().read() >= 0;
                    } catch (java.net.SocketTimeoutException stays) {
                        open.add(next);
                        return true;
                    } catch (SocketException reset) {
                        return false;
                    }
                });
                for (Socket socket : open) {
                    socket.close();
                }
            }
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(metrics(server))
                            .contains("taskmaster_connections_max{port=\"http\"} 3.0")
                            .contains("taskmaster_connections_open{port=\"grpc\"} 0.0")
                            .containsPattern("connections_refused_total\\{port=\"grpc\",reason=\"port\"\\} [1-9]")
                            .containsPattern("connections_refused_total\\{port=\"http\",reason=\"port\"\\} [1-9]"));
        }
    }

    @Test
    void oneAddressGetsItsShareAlone() throws Exception {
        try (var server = TaskMasterServer.start(
                TestConfig.reader().set("connections.max-per-address", "2").read(), Nodes.factory())) {
            for (int port : List.of(server.rpcPort(), server.httpPort())) {
                try (Socket first = connect(port);
                        Socket second = connect(port)) {
                    assertThat(isClosed(connect(port))).isTrue();
                    assertThat(first.isConnected() && second.isConnected()).isTrue();
                }
            }
        }
    }

    private static Socket connect(int port) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) LIMIT.toMillis());
        return socket;
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try (socket) {
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static String metrics(TaskMasterServer server) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort() + "/metrics"))
                                    .build(),
                            BodyHandlers.ofString(US_ASCII))
                    .body();
        }
    }
}
