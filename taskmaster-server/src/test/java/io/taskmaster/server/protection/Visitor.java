package io.taskmaster.server.protection;

import com.google.common.io.ByteStreams;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.X509Bundle;
import io.taskmaster.server.TaskMasterServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** A caller of any endpoint of both ports, with given credentials and without knowledge of the messages. */
final class Visitor implements AutoCloseable {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Duration LIMIT = Duration.ofMinutes(2);
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

    private final Optional<String> token;
    private final ManagedChannel channel;
    private final HttpClient http;
    private final String site;

    Visitor(TaskMasterServer server, X509Bundle trusted, Optional<String> token, Optional<X509Bundle> certificate)
            throws Exception {
        this.token = token;
        SslContextBuilder tls = GrpcSslContexts.forClient().trustManager(trusted.getCertificate());
        KeyManager[] keys = {};
        if (certificate.isPresent()) {
            tls.keyManager(
                    certificate.get().getKeyPair().getPrivate(),
                    certificate.get().getCertificatePath());
            keys = certificate.get().toKeyManagerFactory().getKeyManagers();
        }
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.rpcPort())
                .sslContext(tls.build())
                .build();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, new TrustManager[] {trusted.toTrustManager()}, null);
        http = HttpClient.newBuilder()
                .sslContext(context)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        site = "https://localhost:" + server.httpPort();
    }

    /**
     * Calls a method with an empty message. Returns its status, or OK as soon as it is answered, whether or not it has
     * ended then.
     */
    Status.Code call(String method) throws Exception {
        return call(method, new Metadata());
    }

    private Status.Code call(String method, Metadata headers) throws Exception {
        MethodDescriptor<byte[], byte[]> any = MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodType.BIDI_STREAMING)
                .setFullMethodName(method)
                .setRequestMarshaller(BYTES)
                .setResponseMarshaller(BYTES)
                .build();
        ClientCall<byte[], byte[]> call = channel.newCall(any, CallOptions.DEFAULT);
        CompletableFuture<Status.Code> outcome = new CompletableFuture<>();
        token.ifPresent(secret -> headers.put(AUTHORIZATION, "Bearer " + secret));
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(byte[] message) {
                        outcome.complete(Status.Code.OK);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        outcome.complete(status.getCode());
                    }
                },
                headers);
        call.request(1);
        call.sendMessage(new byte[0]);
        call.halfClose();
        try {
            return outcome.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } finally {
            call.cancel("seen enough", null);
        }
    }

    /** Calls a method with this token in addition to the visitor's own. */
    Status.Code callWithAnother(String secret, String method) throws Exception {
        var headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + secret);
        return call(method, headers);
    }

    HttpResponse<String> getWithAnother(String secret, String path) throws IOException, InterruptedException {
        return http.send(
                request(path).header("Authorization", "Bearer " + secret).GET().build(), BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(request(path).GET().build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        return http.send(posting(path, json).build(), BodyHandlers.ofString());
    }

    /** Posts a request that names its action. */
    HttpResponse<String> post(String action, String path, String json) throws IOException, InterruptedException {
        return http.send(posting(path, json).header("TaskMaster-Action", action).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder posting(String path, String json) {
        return request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json));
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(site + path)).timeout(LIMIT);
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        http.shutdownNow();
    }
}
