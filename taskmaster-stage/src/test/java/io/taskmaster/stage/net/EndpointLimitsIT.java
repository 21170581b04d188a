package io.taskmaster.stage.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.net.memory.Budget;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Tests of the bounds on the connections of an endpoint, and on its memory. */
final class EndpointLimitsIT extends LoopbackSockets {

    @Test
    void oneTooManyWaitsInTheBacklogAndIsServedWhenOneLeaves() throws Exception {
        Endpoint server = sockets.endpoint("server", LINES, echo, settings -> settings.maxConnections(2));
        InetSocketAddress address = server.listen(ANYWHERE);
        try (Socket first = connect(address);
                Socket second = connect(address)) {
            await().until(() -> server.status().acceptStops() == 1);
            try (Socket third = connect(address);
                    Socket fourth = connect(address)) {
                write(third, "third\n");
                write(fourth, "fourth\n");
                write(second, "second\n");
                assertThat(reader(second).readLine()).isEqualTo("second");
                assertThat(server.status().opened()).isEqualTo(2);
                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(() -> server.connect(address).join())
                        .withMessageContaining("full");
                assertThat(server.status().refused()).isEqualTo(1);
                first.shutdownOutput();
                assertThat(reader(third).readLine()).isEqualTo("third");
                second.shutdownOutput();
                assertThat(reader(fourth).readLine()).isEqualTo("fourth");
            }
        }
        await().until(() -> server.status().connections() == 0);
        assertThat(server.status().opened()).isEqualTo(4);
        assertThat(server.status().ended(CloseReason.Cause.PEER)).isEqualTo(4);
    }

    @Test
    void manyThatComeAtOnceAreAllServedByFewPlaces() throws Exception {
        Endpoint server = sockets.endpoint("server", LINES, echo, settings -> settings.maxConnections(3));
        InetSocketAddress address = server.listen(ANYWHERE);
        InetSocketAddress other = server.listen(ANYWHERE);
        Queue<String> answers = new ConcurrentLinkedQueue<>();
        CompletableFuture<Integer> maxSeen = new CompletableFuture<>();
        Endpoint client = sockets.endpoint("client", LINES, message -> {
            answers.add(message.payload().toString());
            message.done();
            message.connection().close();
            return Taken.ACCEPTED;
        });
        for (int i = 0; i < 200; i++) {
            int number = i;
            var _ = client.connect(i % 2 == 0 ? address : other)
                    .thenAccept(connection -> connection.send(Bytes.of("hello " + number)));
        }
        await().until(() -> {
            if (server.status().connections() > 3) {
                maxSeen.complete(server.status().connections());
            }
            return answers.size() == 200;
        });
        assertThat(maxSeen).isNotDone();
        assertThat(answers).doesNotHaveDuplicates();
        assertThat(server.status().acceptStops()).isPositive();
    }

    @Test
    void thousandsOfHalfMessagesStayWithinTheMemoryAndOthersAreServed() throws Exception {
        int message = 100_000;
        int halves = 2_000;
        long memory = 40 << 20;
        Endpoint server = sockets.endpoint(
                "server",
                Framing.lengthPrefixed(message),
                echo,
                settings -> settings.maxConnections(halves + 100).maxMemoryBytes(memory));
        InetSocketAddress address = server.listen(ANYWHERE);
        List<SocketChannel> peers = new ArrayList<>();
        try (Socket other = connect(address)) {
            for (int i = 0; i < halves; i++) {
                SocketChannel peer = SocketChannel.open(address);
                peers.add(peer);
                peer.write(halfMessage(message));
                assertThat(server.status().memoryBytes()).isLessThan(memory + message + Budget.READ_BYTES);
            }
            await().until(() -> server.status().waitingForMemory() > halves / 2);
            assertThat(server.status().memoryBytes()).isBetween(memory / 2, memory + message + Budget.READ_BYTES);
            for (int i = 0; i < 100; i++) {
                other.getOutputStream().write(new byte[] {0, 0, 0, 1, (byte) i});
                assertThat(other.getInputStream().readNBytes(5)).containsExactly(0, 0, 0, 1, i);
            }
            byte[] large = ByteBuffer.allocate(4 + message).putInt(message).array();
            other.getOutputStream().write(large);
            for (SocketChannel peer : peers) {
                peer.close();
            }
            assertThat(other.getInputStream().readNBytes(4 + message)).isEqualTo(large);
        }
        await().until(() -> server.status().memoryBytes() == 0);
        assertThat(server.status().waitingForMemory()).isZero();
    }

    @Test
    void halfMessagesThatOthersWaitForAreEnded() throws Exception {
        int message = 100_000;
        Endpoint server = sockets.endpoint(
                "server",
                Framing.lengthPrefixed(message),
                echo,
                settings ->
                        settings.maxConnections(20).maxMemoryBytes(300_000).clogged(256 << 10, Duration.ofSeconds(1)));
        InetSocketAddress address = server.listen(ANYWHERE);
        List<SocketChannel> peers = new ArrayList<>();
        try (Socket other = connect(address)) {
            for (int i = 0; i < 10; i++) {
                SocketChannel peer = SocketChannel.open(address);
                peers.add(peer);
                peer.write(halfMessage(message));
            }
            byte[] large = ByteBuffer.allocate(4 + message).putInt(message).array();
            other.getOutputStream().write(large);
            other.setSoTimeout(120_000);
            assertThat(other.getInputStream().readNBytes(4 + message)).isEqualTo(large);
            await().until(() -> server.status().ended(CloseReason.Cause.STALLED) > 0);
        } finally {
            for (SocketChannel peer : peers) {
                peer.close();
            }
        }
    }

    @Test
    void messagesThatTogetherNeedMoreThanTheMemoryAllArrive() throws Exception {
        int size = 100_000;
        Endpoint server = sockets.endpoint(
                "server",
                Framing.lengthPrefixed(size),
                echo,
                settings -> settings.maxConnections(100).maxMemoryBytes(300_000));
        Queue<Integer> answers = new ConcurrentLinkedQueue<>();
        Endpoint client = sockets.endpoint(
                "client",
                Framing.lengthPrefixed(size),
                message -> {
                    answers.add(message.payload().size());
                    message.done();
                    return Taken.ACCEPTED;
                },
                settings -> settings.maxConnections(100));
        InetSocketAddress address = server.listen(ANYWHERE);
        List<PeerConnection> connections = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            connections.add(client.connect(address).join());
        }
        for (int i = 0; i < 10; i++) {
            for (PeerConnection connection : connections) {
                assertThat(connection.send(Bytes.wrap(new byte[size - i]))).isEqualTo(Taken.ACCEPTED);
            }
        }
        await().until(() -> answers.size() == 500);
        await().until(() -> server.status().memoryBytes() == 0);
        assertThat(server.status().waitingForMemory()).isZero();
        assertThat(server.status().connections()).isEqualTo(50);
    }

    @Test
    void fewBytesDoNotHoldALargeBuffer() throws Exception {
        Endpoint server = sockets.endpoint("server", Framing.fixed(1_000), echo);
        try (Socket asking = connect(server.listen(ANYWHERE))) {
            int count = 0;
            // Doubled until reads are large.
            for (int messages = 1; messages <= 64; messages *= 2) {
                asking.getOutputStream().write(new byte[messages * 1_000 + 1]);
                asking.getInputStream().readNBytes(messages * 1_000);
                asking.getOutputStream().write(new byte[999]);
                asking.getInputStream().readNBytes(1_000);
                count += messages + 1;
            }
            asking.getOutputStream().write(new byte[20_001]);
            asking.getInputStream().readNBytes(20_000);
            int all = count + 20;
            await().until(() ->
                    server.status().messagesOut() == all && server.status().inputBytes() == 1);
            await().untilAsserted(() ->
                    assertThat(allocator.metric().usedDirectMemory()).isLessThan(1_000));
        }
    }

    private static ByteBuffer halfMessage(int bytes) {
        return ByteBuffer.allocate(4 + bytes / 2).putInt(bytes).rewind();
    }
}
