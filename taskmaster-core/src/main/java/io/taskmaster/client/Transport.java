package io.taskmaster.client;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import io.grpc.Metadata;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.taskmaster.wire.ActionHeader;
import java.nio.file.Path;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The security settings of the channel to the server: TLS or plain text, a client certificate, a token, an action.
 * Files are read when a channel is opened. Single-threaded: owned by the builder of a client.
 */
final class Transport {

    private static final String LOCALHOST = "localhost";
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private boolean tls;
    private @Nullable Path authorities;
    private @Nullable Identity identity;
    private @Nullable Supplier<String> token;
    private final Metadata headers = new Metadata();

    void useTls() {
        tls = true;
    }

    void trust(Path pem) {
        useTls();
        authorities = pem;
    }

    void present(Path chain, Path privateKey) {
        useTls();
        identity = new Identity(chain, privateKey);
    }

    void send(Supplier<String> newToken) {
        token = newToken;
    }

    void logPlainText(String action) {
        headers.discardAll(ActionHeader.KEY);
        headers.put(ActionHeader.KEY, ActionHeader.checked(action));
    }

    NettyChannelBuilder open(String target) {
        NettyChannelBuilder channel = NettyChannelBuilder.forTarget(target);
        if (tls) {
            channel.sslContext(context());
        } else {
            channel.usePlaintext();
        }
        if (token != null) {
            if (!tls && !isLoopback(target)) {
                throw new IllegalArgumentException("token: would be sent to " + target
                        + " in plain text (expected: TLS, or a server on the loopback address)");
            }
            channel.intercept(new Credentials(token));
        }
        if (!headers.keys().isEmpty()) {
            channel.intercept(MetadataUtils.newAttachHeadersInterceptor(headers));
        }
        return channel;
    }

    private SslContext context() {
        SslContextBuilder context = GrpcSslContexts.forClient().protocols(PROTOCOLS);
        if (authorities != null) {
            Path pem = authorities;
            read("tls", pem, () -> context.trustManager(pem.toFile()));
        }
        if (identity != null) {
            Identity files = identity;
            read("clientCertificate", files.chain(), () -> files.addTo(context));
        }
        try {
            return context.build();
        } catch (SSLException e) {
            throw new IllegalArgumentException("tls: " + e.getMessage(), e);
        }
    }

    private static void read(String setting, Path file, Runnable reading) {
        try {
            reading.run();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(setting + ": " + file + " (expected: readable PEM)", e);
        }
    }

    private record Identity(Path chain, Path key) {

        void addTo(SslContextBuilder context) {
            context.keyManager(chain.toFile(), key.toFile());
        }
    }

    static boolean isLoopback(String target) {
        try {
            String host = HostAndPort.fromString(target).getHost();
            return host.equals(LOCALHOST)
                    || (InetAddresses.isInetAddress(host)
                            && InetAddresses.forString(host).isLoopbackAddress());
        } catch (IllegalArgumentException other) {
            return false;
        }
    }
}
