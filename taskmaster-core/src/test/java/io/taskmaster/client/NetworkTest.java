package io.taskmaster.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.ListReply;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of the client over real sockets, with faults of the network. */
@Timeout(300)
final class NetworkTest {

    private static final int FRAME_LIMIT = 1 << 20;
    private static final QueueKey QUEUE = QueueKey.of("q");
    private static final ListRequest ALL = ListRequest.of(QueueSelector.allIn(GroupName.EMPTY));

    private final FakeServer script = new FakeServer();
    private final List<AutoCloseable> open = new ArrayList<>(List.of(script));

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    @Test
    void repliesComeBack() throws IOException {
        script.answer(UpdateReply.newBuilder().setSuccess(true).build());
        BlockingClient client =
                track(client(serve(freePort()).getPort()).build()).blocking();
        assertThat(client.enqueue(QUEUE, Bytes.of("x")).success()).isTrue();
    }

    @Test
    void callToNobodyWasNotSent() throws IOException {
        BlockingClient client = track(client(freePort()).maxRetries(0).build()).blocking();
        assertFails(() -> client.enqueue(QUEUE, Bytes.of("x")), ErrorCode.NOT_CONNECTED);
    }

    @Test
    void callWaitsForAServerThatStartsLater() throws IOException {
        int port = freePort();
        CompletableFuture<UpdateResult> future = track(client(port).build()).enqueue(QUEUE, Bytes.of("x"));
        script.answer(UpdateReply.newBuilder().setSuccess(true).build());

        serve(port);

        assertThat(future.join().success()).isTrue();
    }

    @Test
    void updateOnALostConnectionIsRepeatedUnderItsId() throws Exception {
        Server first = serve(freePort());
        int port = first.getPort();
        CompletableFuture<UpdateResult> future = track(client(port).build()).enqueue(QUEUE, Bytes.of("x"));
        await().until(() -> !script.requests.isEmpty());
        script.answer(UpdateReply.newBuilder().setSuccess(true).build());

        first.shutdownNow().awaitTermination();
        // For a moment another process's connection may use the port that is free now.
        await().ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> serve(port));

        assertThat(future.join().success()).isTrue();
        assertThat(script.requests).hasSize(2);
        assertThat(((UpdateRequest) script.requests.getFirst()).getRequestId().size())
                .isEqualTo(16);
        assertThat(script.requests.getLast()).isEqualTo(script.requests.getFirst());
    }

    @Test
    void updateWithoutAnIdOnALostConnectionHasAnUnknownOutcome() throws IOException {
        Server server = serve(freePort());
        TaskMasterClient client =
                track(client(server.getPort()).requestIds(RequestIds.NEVER).build());
        CompletableFuture<UpdateResult> future = client.enqueue(QUEUE, Bytes.of("x"));
        await().until(() -> !script.requests.isEmpty());

        server.shutdownNow();

        assertFails(future::get, ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void readOnALostConnectionIsRepeated() throws Exception {
        Server first = serve(freePort());
        int port = first.getPort();
        TaskMasterClient client = track(client(port).build());
        CompletableFuture<ListResult> future = client.list(ALL);
        await().until(() -> !script.requests.isEmpty());
        script.answer(ListReply.getDefaultInstance());

        first.shutdownNow().awaitTermination();
        // For a moment another process's connection may use the port that is free now.
        await().ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> serve(port));

        assertThat(future.join().queues()).isEmpty();
    }

    @Test
    void portThatSpeaksAnotherLanguageIsAnError() throws IOException {
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = stranger.accept()) {
                    socket.getOutputStream()
                            .write("SSH-2.0-OpenSSH_9.2\r\n".repeat(10).getBytes(UTF_8));
                    socket.getInputStream().readAllBytes();
                } catch (IOException ended) {
                    // The client closed the connection.
                }
            });
            BlockingClient client =
                    track(client(stranger.getLocalPort()).maxRetries(0).build()).blocking();
            assertThatThrownBy(() -> client.enqueue(QUEUE, Bytes.of("x"))).isInstanceOf(TaskMasterException.class);
        }
    }

    @Test
    void requestBeyondTheServersLimitIsTheCallersFault() throws IOException {
        BlockingClient client =
                track(client(serve(freePort()).getPort()).build()).blocking();
        assertFails(() -> client.enqueue(QUEUE, Bytes.wrap(new byte[FRAME_LIMIT + 1])), ErrorCode.UPDATE_TOO_LARGE);
    }

    @Test
    void replyBeyondTheClientsLimitIsSaidToBeDone() throws IOException {
        script.answer(LeaseReply.newBuilder()
                .addTasks(io.taskmaster.v1.LeasedTask.newBuilder().setData(ByteString.copyFrom(new byte[2000])))
                .build());
        BlockingClient client = track(client(serve(freePort()).getPort())
                        .maxInboundBytes(1000)
                        .build())
                .blocking();
        assertFails(() -> client.lease(LeaseRequest.from(QUEUE)), ErrorCode.REPLY_TOO_LARGE);
    }

    @Test
    void deadlineBeforeTheConnectionMeansNothingWasSent() throws IOException {
        // A listener that never accepts the preface: the connection stays half open.
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            BlockingClient client = track(client(silent.getLocalPort())
                            .deadline(Duration.ofMillis(300))
                            .build())
                    .blocking();
            assertFails(() -> client.enqueue(QUEUE, Bytes.of("x")), ErrorCode.NOT_CONNECTED);
        }
    }

    @Test
    void closingLetsCallsInFlightEnd() throws Exception {
        TaskMasterClient client = client(serve(freePort()).getPort()).build();
        CompletableFuture<UpdateResult> future = client.enqueue(QUEUE, Bytes.of("x"));
        await().until(() -> !script.requests.isEmpty());

        Thread closing = Thread.ofVirtual().start(client::close);
        script.answerHeld(UpdateReply.newBuilder().setSuccess(true).build());
        closing.join();

        assertThat(future.get().success()).isTrue();
    }

    @Test
    void closingTwiceIsClosingOnceAndCutsOffWhatTakesTooLong() throws IOException {
        TaskMasterClient client =
                client(serve(freePort()).getPort()).drain(Duration.ofMillis(50)).build();
        CompletableFuture<UpdateResult> future = client.enqueue(QUEUE, Bytes.of("x"));
        await().until(() -> !script.requests.isEmpty());

        client.close();
        client.close();

        assertFails(future::get, ErrorCode.OUTCOME_UNKNOWN);
        assertFails(client.enqueue(QUEUE, Bytes.of("x"))::get, ErrorCode.NOT_CONNECTED);
    }

    private Server serve(int port) throws IOException {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .directExecutor()
                .maxInboundMessageSize(FRAME_LIMIT)
                .addService(script)
                .build()
                .start();
        open.add(server::shutdownNow);
        return server;
    }

    private static TaskMasterClientBuilder client(int port) {
        return TaskMasterClient.builder("127.0.0.1:" + port);
    }

    private TaskMasterClient track(TaskMasterClient client) {
        open.add(client);
        return client;
    }

    /**
     * Returns a free port below those of outgoing connections: a client that connects while the server is down could
     * take it otherwise.
     */
    private static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (BindException taken) {
                assertThat(taken).hasMessageContaining("in use");
            }
        }
    }

    private static void assertFails(ThrowingCallable call, ErrorCode code) {
        assertThatThrownBy(call).satisfies(thrown -> {
            Throwable error = thrown instanceof TaskMasterException ? thrown : thrown.getCause();
            assertThat(error)
                    .isInstanceOfSatisfying(
                            TaskMasterException.class,
                            typed -> assertThat(typed.code()).isEqualTo(code));
        });
    }
}
