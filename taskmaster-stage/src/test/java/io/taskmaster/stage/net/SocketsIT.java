package io.taskmaster.stage.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.metrics.EndpointMetrics;
import io.taskmaster.stage.net.memory.Budget;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of connections over loopback. After each test no buffer is left. */
final class SocketsIT {

    /**
     * A time longer than a busy machine delays a test between two steps; a connection without traffic for as long
     * counts as idle.
     */
    private static final Duration IDLE = Duration.ofSeconds(3);

    private static final Duration CLOGGED = Duration.ofSeconds(6);

    private static final InetSocketAddress ANYWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Framing LINES = Framing.lines(1_000);
    private static final int THREADS = 2;
    private static final int MANY = 30_000;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    private final Queue<String> leaks = new ConcurrentLinkedQueue<>();
    private final Sockets sockets = Sockets.start(THREADS, allocator);
    private final LocalStages local = LocalStages.start();
    private final LocalStage<Message> echo = local.add(
            "echo",
            stage ->
                    stage.handler(message -> message.answer(message.payload())).boundary(10_000, boundary -> boundary));

    @BeforeEach
    void watchEveryBuffer() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + records));
    }

    @AfterEach
    void assertNoBufferLeaked() {
        sockets.close();
        local.close();
        ResourceLeakDetector.setLevel(before);
        ByteBufUtil.setLeakListener(null);
        assertThat(leaks).isEmpty();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }

    @Test
    void messagesAreAnswered() throws IOException {
        Endpoint server = sockets.endpoint("server", Framing.lengthPrefixed(1 << 20), echo);
        Queue<Bytes> answers = new ConcurrentLinkedQueue<>();
        Endpoint client = sockets.endpoint("client", Framing.lengthPrefixed(1 << 20), message -> {
            answers.add(message.payload());
            message.done();
            return Taken.ACCEPTED;
        });
        PeerConnection connection = client.connect(server.listen(ANYWHERE)).join();
        List<Bytes> sent = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Bytes message = Bytes.wrap(new byte[i * 13]);
            sent.add(message);
            assertThat(connection.send(message)).isEqualTo(Taken.ACCEPTED);
        }
        await().until(() -> answers.size() == 500);
        assertThat(answers).containsExactlyElementsOf(sent);

        MeterRegistry registry = new SimpleMeterRegistry();
        new EndpointMetrics(server).bindTo(registry);
        assertThat(registry.get("taskmaster.endpoint.connections").gauge().value())
                .isEqualTo(1);
        assertThat(registry.get("taskmaster.endpoint.messages")
                        .tag("direction", "in")
                        .functionCounter()
                        .count())
                .isEqualTo(500);

        EndpointStatus status = server.status();
        assertThat(status.messagesIn()).isEqualTo(500);
        await().until(() -> server.status().messagesOut() == 500);
        assertThat(status.bytesIn())
                .isEqualTo(sent.stream().mapToLong(Bytes::size).sum() + 4 * 500);
        assertThat(status.connections()).isEqualTo(1);
        connection.close();
        assertThat(connection.ended().join().cause()).isEqualTo(CloseReason.Cause.CLOSED);
        await().until(() -> server.status().ended(CloseReason.Cause.PEER) == 1);
        assertThat(connection.send(Bytes.EMPTY)).isInstanceOf(Refused.class);
    }

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

    @Test
    void manyConnectionsTakeTurnsForLittleRoom() throws Exception {
        LocalStage<Message> small = local.add(
                "small",
                stage -> stage.handler(message -> message.answer(message.payload()))
                        .boundary(2, boundary -> boundary));
        Endpoint server = sockets.endpoint("server", LINES, small);
        Queue<Bytes> answers = new ConcurrentLinkedQueue<>();
        Endpoint client = sockets.endpoint("client", LINES, message -> {
            answers.add(message.payload());
            message.done();
            return Taken.ACCEPTED;
        });
        InetSocketAddress address = server.listen(ANYWHERE);
        for (int i = 0; i < 100; i++) {
            PeerConnection connection = client.connect(address).join();
            for (int j = 0; j < 20; j++) {
                connection.send(Bytes.of(i + " " + j));
            }
        }
        await().until(() -> answers.size() == 2_000);
        assertThat(answers).doesNotHaveDuplicates();
        await().until(() -> server.status().paused() == 0);
        assertThat(server.status().inHand()).isZero();
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

    @Test
    void brokenPeersEndTheirOwnConnections() throws Exception {
        Endpoint server = sockets.endpoint("server", Framing.lengthPrefixed(100), echo);
        InetSocketAddress address = server.listen(ANYWHERE);
        Socket reset = connect(address);
        try (Socket good = connect(address);
                Socket tooLong = connect(address);
                Socket cut = connect(address)) {
            tooLong.getOutputStream().write(new byte[] {0, 0, 0, 101, 1});
            reset.getOutputStream().write(new byte[] {0, 0, 0, 50, 1, 2});
            cut.getOutputStream().write(new byte[] {0, 0, 0, 50, 1, 2});
            cut.shutdownOutput();
            await().until(() -> server.status().bytesIn() == 5 + 6 + 6);
            reset.setSoLinger(true, 0);
            reset.close();
            await().until(() -> server.status().connections() == 1);
            assertThat(server.status().ended())
                    .containsEntry(CloseReason.Cause.TOO_LONG, 1L)
                    .containsEntry(CloseReason.Cause.BROKEN, 1L)
                    .containsEntry(CloseReason.Cause.CUT, 1L);
            assertThat(tooLong.getInputStream().read()).isEqualTo(-1);
            good.getOutputStream().write(new byte[] {0, 0, 0, 1, 7});
            assertThat(good.getInputStream().readNBytes(5)).containsExactly(0, 0, 0, 1, 7);
        }
    }

    @Test
    void sinkThatFailsEndsTheConnectionThatAsked() throws Exception {
        Endpoint server = sockets.endpoint("server", LINES, message -> {
            if (message.payload().isEmpty()) {
                throw new IllegalArgumentException("empty");
            }
            message.answer(message.payload());
            return Taken.ACCEPTED;
        });
        InetSocketAddress address = server.listen(ANYWHERE);
        try (Socket good = connect(address);
                Socket bad = connect(address)) {
            write(bad, "\n");
            await().until(() -> server.status().ended(CloseReason.Cause.FAILED) == 1);
            write(good, "hello\n");
            assertThat(reader(good).readLine()).isEqualTo("hello");
        }
    }

    @Test
    void thousandConnectionsShareTwoThreads() throws Exception {
        Endpoint server = sockets.endpoint("server", LINES, echo);
        Queue<String> answers = new ConcurrentLinkedQueue<>();
        Endpoint client = sockets.endpoint("client", LINES, message -> {
            answers.add(message.payload().toString());
            message.done();
            return Taken.ACCEPTED;
        });
        InetSocketAddress address = server.listen(ANYWHERE);
        List<CompletableFuture<PeerConnection>> connections = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            connections.add(client.connect(address));
        }
        for (int i = 0; i < 1_000; i++) {
            connections.get(i).join().send(Bytes.of("hello " + i));
        }
        await().until(() -> answers.size() == 1_000);
        assertThat(answers).doesNotHaveDuplicates();
        assertThat(server.status().connections()).isEqualTo(1_000);
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("sockets-"))
                .hasSizeLessThanOrEqualTo(THREADS);
    }

    @Test
    void closingAnswersWhatWasTaken() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        LocalStage<Message> slow = local.add(
                "slow",
                stage -> stage.handler(message -> {
                            busy.await();
                            message.answer(message.payload());
                        })
                        .boundary(10, boundary -> boundary.blocking()));
        Endpoint server = sockets.endpoint("server", LINES, slow);
        InetSocketAddress address = server.listen(ANYWHERE);
        try (Socket asking = connect(address);
                Socket silent = connect(address)) {
            write(asking, "a\nb\n");
            await().until(() -> server.status().messagesIn() == 2);
            CompletableFuture<Void> drained = server.drain(Duration.ofSeconds(20));
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
            assertThat(drained).isNotDone();
            // The entrance is closed by another thread than that of the connection.
            await().untilAsserted(() -> assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> connect(address).close()));
            busy.countDown();
            BufferedReader answers = reader(asking);
            assertThat(answers.readLine()).isEqualTo("a");
            // It is discarded, and does not cost the peer its unread answers.
            write(asking, "c\n");
            assertThat(answers.readLine()).isEqualTo("b");
            assertThat(answers.readLine()).isNull();
            asking.shutdownOutput();
            silent.shutdownOutput();
            drained.join();
        }
        assertThat(server.status().ended()).containsEntry(CloseReason.Cause.CLOSED, 2L);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> server.connect(address).join())
                .withMessageContaining("closed");
    }

    @Test
    void closingWaitsNoLongerThanItMay() throws Exception {
        Endpoint server = sockets.endpoint("server", LINES, _ -> Taken.ACCEPTED);
        try (Socket asking = connect(server.listen(ANYWHERE))) {
            write(asking, "a\n");
            await().until(() -> server.status().inHand() == 1);
            server.drain(Duration.ofMillis(100)).join();
            assertThat(server.status().ended()).containsEntry(CloseReason.Cause.DEADLINE, 1L);
        }
    }

    @Test
    void peerThatHasAskedAllMayWaitForItsAnswers() throws Exception {
        Endpoint server = sockets.endpoint("server", LINES, echo);
        try (Socket asking = connect(server.listen(ANYWHERE))) {
            write(asking, "a\nb\nc\n");
            asking.shutdownOutput();
            assertThat(reader(asking).lines()).containsExactly("a", "b", "c");
        }
        await().until(() -> server.status().ended(CloseReason.Cause.PEER) == 1);
    }

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

    private static ByteBuffer halfMessage(int bytes) {
        return ByteBuffer.allocate(4 + bytes / 2).putInt(bytes).rewind();
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

    @Test
    void idleConnectionEndsUnlessItWaitsForUs() throws Exception {
        Queue<Message> kept = new ConcurrentLinkedQueue<>();
        Endpoint server = sockets.endpoint(
                "server",
                LINES,
                message -> {
                    kept.add(message);
                    return Taken.ACCEPTED;
                },
                settings -> settings.idle(IDLE));
        InetSocketAddress address = server.listen(ANYWHERE);
        try (Socket idle = connect(address);
                Socket waiting = connect(address)) {
            write(waiting, "a\n");
            assertThat(idle.getInputStream().read()).isEqualTo(-1);
            await().until(() -> kept.size() == 1);
            assertThat(server.status().ended()).containsEntry(CloseReason.Cause.IDLE, 1L);
            kept.remove().answer(Bytes.of("b"));
            assertThat(reader(waiting).readLine()).isEqualTo("b");
            assertThat(waiting.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void messagesAreAnsweredInTheirOrderIfOneIsInHand() throws Exception {
        LocalStage<Message> workers = local.add(
                "workers",
                stage -> stage.handler(message -> message.answer(message.payload()))
                        .boundary(100, boundary -> boundary.concurrency(8).blocking()));
        Endpoint server = sockets.endpoint("server", LINES, workers, settings -> settings.maxInHand(1));
        try (Socket asking = connect(server.listen(ANYWHERE))) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 1_000; i++) {
                all.append(i).append('\n');
            }
            write(asking, all.toString());
            asking.shutdownOutput();
            assertThat(reader(asking).lines())
                    .containsExactlyElementsOf(all.toString().lines().toList());
        }
    }

    @Test
    void droppedMessageIsToldAndMayBeAnswered() throws Exception {
        LocalStage<Message> failing = local.add(
                "failing",
                stage -> stage.handler(_ -> {
                    throw new IllegalStateException("broken");
                }));
        Endpoint server = sockets.endpoint(
                "server",
                LINES,
                failing,
                settings -> settings.watcher(new ConnectionWatcher() {
                    @Override
                    public void dropped(Message message, String reason) {
                        message.answer(Bytes.of("sorry"));
                    }
                }));
        try (Socket asking = connect(server.listen(ANYWHERE))) {
            write(asking, "a\n");
            assertThat(reader(asking).readLine()).isEqualTo("sorry");
            assertThat(server.status().dropped()).isEqualTo(1);
            assertThat(server.status().inHand()).isZero();
        }
    }

    @Test
    void connectionThatCannotBeMadeSaysSo() throws Exception {
        Endpoint client = sockets.endpoint("client", LINES, _ -> Taken.ACCEPTED);
        InetSocketAddress unusedAddress;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unusedAddress = (InetSocketAddress) free.getLocalSocketAddress();
        }
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> client.connect(unusedAddress).join())
                .withMessageContaining("cannot connect");
        assertThat(client.status().connections()).isZero();
    }

    @Test
    void moreCannotListenWhereSomebodyDoes() throws Exception {
        UnaryOperator<EndpointSettings> none = settings -> settings;
        InetSocketAddress boundAddress =
                sockets.endpoint("server", LINES, echo, none).listen(ANYWHERE);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> sockets.endpoint("other", LINES, echo).listen(boundAddress));
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(20_000);
        return socket;
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

    private static void write(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(UTF_8));
        out.flush();
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }
}
