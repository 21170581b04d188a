package io.taskmaster.stage.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.metrics.EndpointMetrics;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests of messages over loopback, their answers, and the ends of connections. */
final class SocketsIT extends LoopbackSockets {

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
}
