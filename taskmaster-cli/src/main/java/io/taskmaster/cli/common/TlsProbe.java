package io.taskmaster.cli.common;

import com.google.common.net.HostAndPort;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.wire.ConnectionProblem;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * The diagnosis of a port that closes plain connections without a word: it tries a TLS handshake, since ports with TLS
 * do that. Stateless.
 */
final class TlsProbe {

    private static final int LIMIT_MILLIS = 2_000;

    /** The beginning of the JDK's message about an alert, which only TLS has. */
    private static final String ALERT = "Received fatal alert";

    private TlsProbe() {}

    /**
     * Returns the error with the reason, if the port turns out to expect TLS, or the error itself. Blocks for a few
     * seconds at most.
     *
     * @param error the error of a call without TLS
     * @param target the address of the call
     */
    static TaskMasterException explain(TaskMasterException error, String target) {
        String message = String.valueOf(error.getMessage());
        boolean isClosed =
                Stream.of("Network closed", "Connection reset", "Broken pipe").anyMatch(message::contains);
        return error.code() == ErrorCode.NOT_CONNECTED && isClosed && usesTls(target, LIMIT_MILLIS)
                ? ConnectionProblem.SERVER_USES_TLS.asError(error)
                : error;
    }

    /**
     * Returns whether the port at a target answers a TLS handshake as one with TLS does.
     *
     * @param limitMillis the time for the connection, and again for the whole handshake
     */
    static boolean usesTls(String target, int limitMillis) {
        return ServerAddress.hostAndPort(target)
                .map(address -> usesTls(address, limitMillis))
                .orElse(false);
    }

    private static boolean usesTls(HostAndPort address, int limitMillis) {
        CompletableFuture<Void> limit = new CompletableFuture<>();
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), limitMillis);
            // The timeout of a socket limits each read, and a handshake has as many as the other side likes.
            limit.completeOnTimeout(null, limitMillis, TimeUnit.MILLISECONDS);
            var _ = limit.thenRun(() -> close(socket));
            SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
            try (SSLSocket tls = (SSLSocket) factory.createSocket(socket, address.getHost(), address.getPort(), true)) {
                tls.startHandshake();
                return true;
            }
        } catch (SSLException e) {
            // Whatever is wrong with its certificate, the server has sent one.
            return String.valueOf(e.getMessage()).startsWith(ALERT) || e.getCause() instanceof CertificateException;
        } catch (IOException gone) {
            return false;
        } finally {
            limit.cancel(false);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException closed) {
            // The handshake ends either way.
        }
    }
}
