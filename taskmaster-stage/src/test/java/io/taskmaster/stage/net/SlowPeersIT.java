package io.taskmaster.stage.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.local.LocalStage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests of peers that are slower than their other side: what waits for them, and when they are closed. */
final class SlowPeersIT extends LoopbackSockets {

    private static final Duration CLOGGED = Duration.ofSeconds(6);
    private static final int MANY = 30_000;

    @Test
    void connectionIsNotReadWhileTheStageHasNoRoom() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        List<String> handled = Collections.synchronizedList(new ArrayList<>());
        LocalStage<Message> slow = local.add(
                "slow",
                stage -> stage.handler(message -> {
                            busy.await();
                            handled.add(message.payload().toString().strip());
                            message.done();
                        })
                        .boundary(3, boundary -> boundary.blocking()));
        Endpoint server = sockets.endpoint("server", Framing.fixed(1_000), slow);
        try (SocketChannel peer = SocketChannel.open(server.listen(ANYWHERE))) {
            peer.configureBlocking(false);
            peer.setOption(StandardSocketOptions.SO_SNDBUF, 64 << 10);
            ByteBuffer stream = numbered(MANY);
            await().until(() -> {
                peer.write(stream);
                return server.status().paused() == 1;
            });
            // TCP has passed the backpressure on to the peer.
            await().during(Duration.ofMillis(300))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> peer.write(stream) == 0);
            assertThat(stream.position()).isLessThan(20 << 20);
            assertThat(server.status().messagesIn()).isLessThanOrEqualTo(4);
            // Buffers on this side: one message that waits, and the bytes of one read.
            assertThat(allocator.metric().usedDirectMemory()).isLessThan(300_000);

            busy.countDown();
            peer.configureBlocking(true);
            CompletableFuture<Integer> rest = CompletableFuture.supplyAsync(() -> write(peer, stream));
            await().atMost(Duration.ofMinutes(1)).until(() -> handled.size() == MANY);
            await().until(rest::isDone);
            assertThat(handled.getFirst()).isEqualTo("0");
            assertThat(handled.getLast()).isEqualTo(String.valueOf(MANY - 1));
            assertThat(handled)
                    .isEqualTo(handled.stream()
                            .sorted((a, b) -> Integer.compare(Integer.parseInt(a), Integer.parseInt(b)))
                            .toList());
        }
    }

    @Test
    void peerThatDoesNotReadIsClosedAsCloggedAndNobodyElse() throws Exception {
        Bytes answer = Bytes.wrap(new byte[100_000]);
        LocalStage<Message> generous = local.add("generous", stage -> stage.handler(message -> message.answer(answer)));
        Endpoint server = sockets.endpoint(
                "server",
                LINES,
                generous,
                settings -> settings.writes(Framing.fixed(100_000)).clogged(200_000, Duration.ofMillis(300)));
        InetSocketAddress address = server.listen(ANYWHERE);
        try (Socket clogged = connectReadingNothing(address);
                Socket other = connect(address)) {
            write(clogged, "x\n".repeat(500));
            await().until(() -> server.status().paused() == 1);
            long maxWaiting = server.status().waitingBytes();
            // It is not read either, so the bytes that wait are bounded by the messages that were in flight.
            assertThat(maxWaiting).isBetween(200_000L, 200_000L + 65 * 100_000);
            await().until(() -> server.status().ended(CloseReason.Cause.CLOGGED) == 1);
            write(other, "x\n");
            assertThat(other.getInputStream().readNBytes(100_000)).hasSize(100_000);
            assertThat(server.status().connections()).isEqualTo(1);
            // The peer may have the last bytes before the server is notified that they are sent.
            await().until(() -> server.status().waitingBytes() == 0);
        }
    }

    @Test
    void whatMayWaitForAPeerIsBounded() throws Exception {
        CompletableFuture<PeerConnection> opened = new CompletableFuture<>();
        Endpoint server = threeMegabytesMayWait(Duration.ofMinutes(1), opened);
        try (Socket _ = connect(server.listen(ANYWHERE))) {
            PeerConnection connection = opened.join();
            Bytes message = Bytes.wrap(new byte[1 << 20]);
            await().until(() -> connection.send(message) instanceof Refused(Admission.Cause cause, var _)
                    && cause == Admission.Cause.FULL);
            assertThat(connection.waitingBytes()).isLessThanOrEqualTo(3 << 20);
            assertThat(connection.send(Bytes.wrap(new byte[(1 << 20) + 1])))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.cause()).isEqualTo(Admission.Cause.TOO_LARGE));
            connection.abort("enough");
            assertThat(connection.ended().join()).isEqualTo(new CloseReason(CloseReason.Cause.ABORTED, "enough"));
        }
    }

    @Test
    void whoIsToBeClosedAndReadsNothingDoesNotHoldItsPlace() throws Exception {
        CompletableFuture<PeerConnection> opened = new CompletableFuture<>();
        Endpoint server = threeMegabytesMayWait(Duration.ofMillis(300), opened);
        try (Socket _ = connectReadingNothing(server.listen(ANYWHERE))) {
            PeerConnection connection = opened.join();
            Bytes message = Bytes.wrap(new byte[1 << 20]);
            fill(connection, message);
            // Fewer bytes wait than make it clogged.
            assertThat(connection.waitingBytes()).isBetween(1L, 3L << 20);
            connection.close();
            assertThat(connection.ended().join().cause()).isEqualTo(CloseReason.Cause.CLOGGED);
            assertThat(server.status().connections()).isZero();
        }
    }

    @Test
    void peerThatReadsSlowlyGetsAllOfALargeAnswer() throws Exception {
        int size = 10 << 20;
        Bytes answer = Bytes.wrap(new byte[size]);
        LocalStage<Message> generous = local.add("generous", stage -> stage.handler(message -> message.answer(answer)));
        // The answer is one buffer, and there is no notification before all of it is sent. That takes longer than both
        // times.
        Endpoint server = sockets.endpoint(
                "server",
                LINES,
                generous,
                settings -> settings.writes(Framing.fixed(size))
                        .maxWaitingBytes(2L * size)
                        .clogged(size, CLOGGED)
                        .idle(IDLE));
        try (SocketChannel peer = SocketChannel.open()) {
            peer.setOption(StandardSocketOptions.SO_RCVBUF, 64 << 10);
            peer.connect(server.listen(ANYWHERE));
            write(peer, ByteBuffer.wrap("x\n".getBytes(UTF_8)));
            ByteBuffer all = ByteBuffer.allocate(size + 1);
            await().atMost(Duration.ofMinutes(1))
                    .pollDelay(Duration.ofMillis(100))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> {
                        all.limit(Math.min(all.capacity(), all.position() + (128 << 10)));
                        return peer.read(all) < 0;
                    });
            assertThat(all.position()).isEqualTo(size);
        }
        await().until(() -> server.status().connections() == 0);
        assertThat(server.status().ended(CloseReason.Cause.IDLE)).isEqualTo(1);
    }

    @Test
    void peerThatLeavesALittleUnreadIsCloggedNotIdle() throws Exception {
        CompletableFuture<PeerConnection> opened = new CompletableFuture<>();
        Endpoint server = threeMegabytesMayWait(CLOGGED, opened, settings -> settings.idle(IDLE));
        try (Socket _ = connectReadingNothing(server.listen(ANYWHERE))) {
            PeerConnection connection = opened.join();
            Bytes message = Bytes.wrap(new byte[1 << 20]);
            fill(connection, message);
            // Fewer bytes wait than make an open connection clogged.
            assertThat(connection.waitingBytes()).isBetween(1L, 3L << 20);
            assertThat(connection.ended().join().cause()).isEqualTo(CloseReason.Cause.CLOGGED);
        }
    }

    @Test
    void peerThatReadsNothingOfALargeAnswerIsCloggedNotIdle() throws Exception {
        Bytes answer = Bytes.wrap(new byte[10 << 20]);
        LocalStage<Message> generous = local.add("generous", stage -> stage.handler(message -> message.answer(answer)));
        Endpoint server = sockets.endpoint(
                "server",
                LINES,
                generous,
                settings -> settings.writes(Framing.fixed(answer.size()))
                        .clogged(200_000, CLOGGED)
                        .idle(IDLE));
        try (Socket asking = connectReadingNothing(server.listen(ANYWHERE))) {
            write(asking, "x\n");
            await().until(() -> server.status().ended(CloseReason.Cause.CLOGGED) == 1);
            assertThat(server.status().ended(CloseReason.Cause.IDLE)).isZero();
        }
    }

    private Endpoint threeMegabytesMayWait(Duration cloggedAfter, CompletableFuture<PeerConnection> opened) {
        return threeMegabytesMayWait(cloggedAfter, opened, settings -> settings);
    }

    private Endpoint threeMegabytesMayWait(
            Duration cloggedAfter, CompletableFuture<PeerConnection> opened, UnaryOperator<EndpointSettings> more) {
        return sockets.endpoint(
                "server",
                Framing.lengthPrefixed(1 << 20),
                echo,
                settings -> more.apply(settings.maxWaitingBytes(3 << 20)
                        .clogged(3 << 20, cloggedAfter)
                        .watcher(opening(opened))));
    }

    private static ConnectionWatcher opening(CompletableFuture<PeerConnection> opened) {
        return new ConnectionWatcher() {
            @Override
            public void opened(PeerConnection connection) {
                opened.complete(connection);
            }
        };
    }

    private static int write(SocketChannel peer, ByteBuffer stream) {
        try {
            return peer.write(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer numbered(int count) {
        ByteBuffer all = ByteBuffer.allocate(count * 1_000);
        for (int i = 0; i < count; i++) {
            all.put("%-1000d".formatted(i).getBytes(UTF_8));
        }
        return all.flip();
    }

    /**
     * Connects as a peer that reads nothing, with a small receive buffer of fixed size: one that grew would take the
     * waiting bytes later.
     */
    private static Socket connectReadingNothing(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(64 << 10);
        socket.connect(address);
        return socket;
    }

    /** Sends until messages are refused for a while: the buffers of the operating system are full. */
    private static void fill(PeerConnection connection, Bytes message) {
        await().pollInterval(Duration.ofMillis(1))
                .during(Duration.ofMillis(100))
                .until(() -> !connection.send(message).isTaken());
    }
}
