package io.taskmaster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.v1.ListReply;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the conditions under which a token is sent, and of files that cannot be read. TLS itself is tested with a
 * server that supports it.
 */
@Timeout(300)
final class TransportTest {

    private static final ListRequest ALL = ListRequest.of(QueueSelector.all());
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "example.org:7400",
                "dns:///localhost:7400",
                "127.0.0.1.example.org:7400",
                "10.0.0.1:7400",
                "host"
            })
    void aTokenIsNotSentInPlainTextOverANetwork(String target) {
        assertThatThrownBy(
                        () -> TaskMasterClient.builder(target).token("secret").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(target)
                .hasMessageContaining("plain text")
                .hasMessageNotContaining("secret");
        TaskMasterClient.builder(target).token("secret").tls().build().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:7400", "localhost:7400", "[::1]:7400"})
    void withinAMachineItIs(String target) {
        TaskMasterClient.builder(target).token("secret").build().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "se cret", "secret\n", "sécret"})
    void whatCannotStandInAHeaderIsNoToken(String token) {
        assertThatThrownBy(() -> TaskMasterClient.builder("localhost:1").token(token))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("token")
                .hasMessageNotContaining("cret");
    }

    @Test
    void theTokenOfTheMomentIsSentWithEachCallAndFailsTheCallIfThereIsNone() throws Exception {
        List<String> sent = new CopyOnWriteArrayList<>();
        var calls = new AtomicInteger();
        try (var script = new FakeServer();
                var port = new Port(script, sent);
                var client = TaskMasterClient.builder("127.0.0.1:" + port.server.getPort())
                        .token(() -> {
                            if (calls.incrementAndGet() == 3) {
                                throw new IllegalStateException("no secret at hand");
                            }
                            return "token-" + calls;
                        })
                        .build()) {
            script.answer(ListReply.getDefaultInstance()).answer(ListReply.getDefaultInstance());
            client.blocking().list(ALL);
            client.blocking().list(ALL);

            assertThatThrownBy(() -> client.blocking().list(ALL))
                    .isInstanceOfSatisfying(
                            TaskMasterException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED))
                    .hasMessageNotContaining("secret");
        }
        assertThat(sent).containsExactly("Bearer token-1", "Bearer token-2");
    }

    @Test
    void filesThatCannotBeReadAreNamed() throws Exception {
        Path none = folder.resolve("none.pem");
        Path text = Files.writeString(folder.resolve("text.pem"), "no certificate");

        for (Path file : List.of(none, text)) {
            assertThatThrownBy(() ->
                            TaskMasterClient.builder("localhost:1").tls(file).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("tls: " + file);
            assertThatThrownBy(() -> TaskMasterClient.builder("localhost:1")
                            .clientCertificate(file, file)
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("clientCertificate: " + file);
        }
    }

    /** A server that records the credentials of its callers. */
    private record Port(Server server) implements AutoCloseable {

        Port(FakeServer script, List<String> shown) throws Exception {
            this(NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .addService(script)
                    .intercept(new ServerInterceptor() {
                        @Override
                        public <Q, P> ServerCall.Listener<Q> interceptCall(
                                ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
                            shown.add(String.valueOf(headers.get(AUTHORIZATION)));
                            return next.startCall(call, headers);
                        }
                    })
                    .build()
                    .start());
        }

        @Override
        public void close() {
            server.shutdownNow();
        }
    }
}
