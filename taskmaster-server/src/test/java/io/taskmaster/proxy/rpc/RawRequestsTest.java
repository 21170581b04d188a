package io.taskmaster.proxy.rpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.joran.spi.JoranException;
import com.google.common.io.ByteStreams;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.config.LogFormat;
import io.taskmaster.proxy.json.RandomMessages;
import io.taskmaster.proxy.logging.Logs;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.server.fuzz.Fuzzing;
import io.taskmaster.v1.InsightGrpc;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.wire.ErrorMapper;
import io.taskmaster.wire.Progress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests of random bytes on the gRPC port of a whole server, as requests of every method and behind the preface of
 * HTTP/2. Whatever they are, the server treats them as the fault of the caller, logs no warning, and goes on.
 */
final class RawRequestsTest {

    private static final int LIMIT_SECONDS = 60;
    private static final int SEEDS = 2_000;

    /** The deadline of a request that happens to wait. */
    private static final int WAIT_MILLIS = 100;

    private static final List<MethodDescriptor<?, ?>> METHODS = Stream.of(
                    TaskMasterGrpc.getServiceDescriptor().getMethods().stream(),
                    InsightGrpc.getServiceDescriptor().getMethods().stream(),
                    HealthGrpc.getServiceDescriptor().getMethods().stream(),
                    ProtoReflectionServiceV1.newInstance().bindService().getMethods().stream()
                            .map(ServerMethodDefinition::getMethodDescriptor))
            .<MethodDescriptor<?, ?>>flatMap(methods -> methods)
            .toList();

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(US_ASCII);

    private static final Marshaller<byte[]> BYTES = new Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream message) {
            try {
                return ByteStreams.toByteArray(message);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    /** The end of a call. Immutable. */
    private record End(Status status, Metadata trailers) {

        ErrorCode reason() {
            TaskMasterException error = ErrorMapper.fromGrpc(status, trailers, Progress.SENT);
            return error.code();
        }
    }

    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final List<ILoggingEvent> warnings = new CopyOnWriteArrayList<>();
    private final Map<Status.Code, Integer> ends = new EnumMap<>(Status.Code.class);

    private TaskMasterServer server;
    private ManagedChannel channel;

    /** Starts a server with the log of production, but kept in memory. */
    @BeforeEach
    void start() throws Exception {
        Logs.forServer(LogFormat.TEXT, _ -> {});
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        var kept = new AppenderBase<ILoggingEvent>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                    warnings.add(event);
                }
            }
        };
        kept.setContext(context);
        kept.start();
        root.addAppender(kept);
        server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.rpcPort())
                .usePlaintext()
                .maxInboundMessageSize(64 << 20)
                .build();
    }

    @AfterEach
    void stop() throws JoranException {
        channel.shutdownNow();
        server.close();
        context.reset();
        new ContextInitializer(context).autoConfig();
    }

    @Test
    void aRequestThatIsNoMessageOrNotOneIsRefusedWithItsReason() throws Exception {
        byte[] malformed = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff};
        for (MethodDescriptor<?, ?> method : METHODS) {
            assertRefused(call(method, List.of(malformed)), method);
            if (method.getType().clientSendsOneMessage()) {
                assertRefused(call(method, List.of()), method);
                assertRefused(call(method, List.of(new byte[0], new byte[0])), method);
            }
        }
        assertThat(warnings).isEmpty();
    }

    private static void assertRefused(End end, MethodDescriptor<?, ?> method) {
        assertThat(end.status().getCode())
                .as("%s: %s", method.getFullMethodName(), end)
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(end.reason()).isEqualTo(ErrorCode.INVALID_FIELD);
        assertThat(end.status().getDescription()).startsWith("request: ").contains(method.getFullMethodName());
    }

    @Test
    void whateverBytesComeTheyAreTheFaultOfTheirCaller() throws Exception {
        for (long seed = 0; seed < SEEDS; seed++) {
            var random = new SplittableRandom(seed);
            if (random.nextInt(8) == 0) {
                frames(random);
            } else {
                tryOne(seed, random);
            }
        }

        assertThat(ends).doesNotContainKeys(Status.Code.UNKNOWN, Status.Code.INTERNAL, Status.Code.UNAVAILABLE);
        assertThat(ends).containsKeys(Status.Code.OK, Status.Code.INVALID_ARGUMENT);
        assertThat(warnings).isEmpty();
        assertThat(call(TaskMasterGrpc.getListQueuesMethod(), List.of(new byte[0]))
                        .status()
                        .isOk())
                .isTrue();
    }

    private void tryOne(long seed, SplittableRandom random) throws Exception {
        MethodDescriptor<?, ?> method = METHODS.get(random.nextInt(METHODS.size()));
        byte[] request = random.nextInt(4) == 0 ? noise(random) : Fuzzing.mutated(message(method, random), random);
        Status status = call(
                        method,
                        List.of(request),
                        CallOptions.DEFAULT.withDeadlineAfter(WAIT_MILLIS, TimeUnit.MILLISECONDS))
                .status();
        assertThat(status.getCode())
                .as("seed %s: %s of %s", seed, status, method.getFullMethodName())
                .isNotIn(Status.Code.UNKNOWN, Status.Code.INTERNAL);
        ends.merge(status.getCode(), 1, Integer::sum);
    }

    private static byte[] message(MethodDescriptor<?, ?> method, SplittableRandom random) {
        var marshaller = (PrototypeMarshaller<?>) method.getRequestMarshaller();
        return RandomMessages.wild(random)
                .like((Message) Objects.requireNonNull(marshaller.getMessagePrototype()))
                .toByteArray();
    }

    private static byte[] noise(SplittableRandom random) {
        byte[] noise = new byte[random.nextInt(64)];
        random.nextBytes(noise);
        return noise;
    }

    /** Sends frames of HTTP/2 of which at most the lengths are right. */
    private void frames(SplittableRandom random) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.rpcPort())) {
            var out = socket.getOutputStream();
            out.write(random.nextInt(8) == 0 ? Fuzzing.mutated(PREFACE, random) : PREFACE);
            for (int i = random.nextInt(6); i >= 0; i--) {
                byte[] payload = noise(random);
                out.write(new byte[] {0, 0, (byte) payload.length, (byte) random.nextInt(12), (byte) random.nextInt()});
                out.write(new byte[] {0, 0, 0, (byte) random.nextInt(4)});
                out.write(payload);
            }
        } catch (IOException refused) {
            // The server may disconnect at the first of them.
        }
    }

    private End call(MethodDescriptor<?, ?> method, List<byte[]> requests) throws Exception {
        return call(method, requests, CallOptions.DEFAULT);
    }

    private End call(MethodDescriptor<?, ?> method, List<byte[]> requests, CallOptions options) throws Exception {
        MethodDescriptor<byte[], byte[]> raw = MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodType.BIDI_STREAMING)
                .setFullMethodName(method.getFullMethodName())
                .setRequestMarshaller(BYTES)
                .setResponseMarshaller(BYTES)
                .build();
        var call = channel.newCall(raw, options);
        CompletableFuture<End> ended = new CompletableFuture<>();
        boolean endless = method.getType() == MethodType.SERVER_STREAMING;
        call.start(
                new io.grpc.ClientCall.Listener<>() {
                    @Override
                    public void onMessage(byte[] message) {
                        if (endless) {
                            ended.complete(new End(Status.OK, new Metadata()));
                        }
                        call.request(1);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        ended.complete(new End(status, trailers));
                    }
                },
                new Metadata());
        call.request(1);
        requests.forEach(call::sendMessage);
        call.halfClose();
        try {
            return ended.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } finally {
            call.cancel("seen enough", null);
        }
    }
}
