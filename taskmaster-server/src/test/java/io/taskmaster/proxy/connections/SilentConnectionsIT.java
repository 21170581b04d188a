package io.taskmaster.proxy.connections;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.tests.Slow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of the timeouts of both ports for connections that send no complete request, or no HTTP/2 preface, within
 * {@link Limits#HANDSHAKE_MILLIS}: they are closed.
 */
final class SilentConnectionsIT {

    private static final int GENEROUS_MILLIS = 12 * Limits.HANDSHAKE_MILLIS;

    private final TaskMasterServer server;
    private final List<Socket> silent = new ArrayList<>();

    SilentConnectionsIT() throws StartException {
        server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : silent) {
            socket.close();
        }
        server.close();
    }

    @Test
    void areClosedOfTheirOwnAccord() throws IOException {
        connect(server.httpPort(), "");
        connect(server.httpPort(), "GET /healthz HT");
        connect(server.rpcPort(), "");
        connect(server.rpcPort(), "PRI * HTTP/2.0\r\n");

        for (Socket socket : silent) {
            // Bytes may come before the end: with HTTP/2 the server sends first.
            assertThat(socket.getInputStream().readAllBytes()).hasSizeLessThan(1000);
        }
    }

    /**
     * Such a client is never silent, so without a limit it could hold the memory for its request as long as it liked.
     */
    @Slow
    @Test
    void aRequestThatDripsIsRefused() throws IOException {
        Socket dripping = connect(
                server.httpPort(),
                "POST /v1/update HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 100000\r\n\r\n"
                        .formatted(server.httpPort()));
        dripping.setSoTimeout(1_000);
        String answer = "";
        for (int second = 0; answer.isEmpty() && second < 3 * Limits.HTTP_BODY_MILLIS / 1_000; second++) {
            dripping.getOutputStream().write(' ');
            try {
                answer = new String(dripping.getInputStream().readNBytes("HTTP/1.1 408".length()), US_ASCII);
            } catch (SocketTimeoutException nothingYet) {
                // It is open: send another byte.
            }
        }
        assertThat(answer).isEqualTo("HTTP/1.1 408");
    }

    private Socket connect(int port, String firstWords) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        silent.add(socket);
        socket.setSoTimeout(GENEROUS_MILLIS);
        socket.getOutputStream().write(firstWords.getBytes(US_ASCII));
        return socket;
    }
}
