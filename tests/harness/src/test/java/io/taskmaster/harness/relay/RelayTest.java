package io.taskmaster.harness.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RelayTest {

    private static final int TIMEOUT_MILLIS = 10_000;

    /** The time after which nothing is taken to arrive any more. */
    private static final int SILENCE_MILLIS = 100;

    private final EchoPort server;
    private final Relay relay;

    RelayTest() throws IOException {
        server = new EchoPort();
        relay = Relay.to(server.address());
    }

    @AfterEach
    void close() throws IOException {
        relay.close();
        server.close();
    }

    @Test
    void passesOnAllThatIsSentInOrder() throws IOException {
        byte[] sent = new byte[1 << 20];
        new Random(1).nextBytes(sent);
        try (Socket client = connect()) {
            Thread.ofVirtual().start(() -> {
                try {
                    client.getOutputStream().write(sent);
                    client.shutdownOutput();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(client.getInputStream().readAllBytes()).isEqualTo(sent);
        }
        await().until(() -> relay.connections() == 0);
    }

    @Test
    void cutConnectionsAreResetAndNewOnesWork() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, 1)).isEqualTo(1);
            relay.cut();
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
        }
        try (Socket client = connect()) {
            assertThat(echo(client, 2)).isEqualTo(2);
        }
    }

    @Test
    void whoConnectsToARefusingRelayIsHungUpOnUntilItHeals() throws IOException {
        relay.refuse();
        assertThatThrownBy(() -> {
                    try (Socket client = connect()) {
                        echo(client, 1);
                    }
                })
                .isInstanceOf(SocketException.class);

        relay.heal();
        try (Socket client = connect()) {
            assertThat(echo(client, 2)).isEqualTo(2);
        }
    }

    @Test
    void whatIsStalledArrivesWhenTheRelayHeals() throws IOException {
        for (ByteFlow byteFlow : ByteFlow.values()) {
            try (Socket client = connect()) {
                assertThat(echo(client, 1)).isEqualTo(1);
                relay.stall(byteFlow);
                client.setSoTimeout(SILENCE_MILLIS);
                assertThatThrownBy(() -> echo(client, 2)).isInstanceOf(SocketTimeoutException.class);
                relay.heal();
                client.setSoTimeout(TIMEOUT_MILLIS);
                assertThat(client.getInputStream().read()).isEqualTo(2);
            }
        }
    }

    @Test
    void aCutEndsAStalledConnectionToo() throws IOException {
        try (Socket client = connect()) {
            assertThat(echo(client, 1)).isEqualTo(1);
            relay.stall(ByteFlow.values());
            client.getOutputStream().write(2);
            relay.cut();
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
            await().until(() -> relay.connections() == 0);
        }
    }

    @Test
    void aSlowRelayTakesItsTimeEachWay() throws IOException {
        Duration delay = Duration.ofMillis(60);
        try (Socket client = connect()) {
            assertThat(echo(client, 1)).isEqualTo(1);
            relay.delay(delay);
            long begin = System.nanoTime();
            assertThat(echo(client, 2)).isEqualTo(2);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(delay.multipliedBy(2));
        }
    }

    @Test
    void whoConnectsWhileTheServerIsAwayIsHungUpOn() throws IOException {
        server.close();
        assertThatThrownBy(() -> {
                    try (Socket client = connect()) {
                        echo(client, 1);
                    }
                })
                .isInstanceOf(SocketException.class);
    }

    private Socket connect() throws IOException {
        String target = relay.target();
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), Integer.parseInt(target.substring(target.indexOf(':') + 1)));
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static int echo(Socket client, int value) throws IOException {
        client.getOutputStream().write(value);
        int answer = client.getInputStream().read();
        if (answer < 0) {
            throw new SocketException("hung up");
        }
        return answer;
    }
}
