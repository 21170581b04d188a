package io.taskmaster.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TlsProbeTest {

    private static final int LIMIT_MILLIS = 300;

    /** The header of a record of the largest size: the client waits for all of it. */
    private static final byte[] RECORD = {22, 3, 3, 0x3f, (byte) 0xff};

    @Test
    void aServerThatSendsByteAfterByteDoesNotHoldTheProbe() throws IOException {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> dripping = CompletableFuture.runAsync(() -> drip(server));
            assertThat(TlsProbe.usesTls("127.0.0.1:" + server.getLocalPort(), LIMIT_MILLIS))
                    .isFalse();
            dripping.join();
        }
    }

    @Test
    void aTargetWithASchemeIsNotProbed() {
        assertThat(TlsProbe.usesTls("dns:localhost:1", LIMIT_MILLIS)).isFalse();
        assertThat(TlsProbe.usesTls("dns:///localhost:1", LIMIT_MILLIS)).isFalse();
    }

    /** Sends a byte every few milliseconds, until the connection is closed. */
    private static void drip(ServerSocket server) {
        try (Socket socket = server.accept()) {
            OutputStream out = socket.getOutputStream();
            out.write(RECORD);
            while (true) {
                new CompletableFuture<>()
                        .completeOnTimeout("", LIMIT_MILLIS / 10, TimeUnit.MILLISECONDS)
                        .join();
                out.write(0);
            }
        } catch (IOException closed) {
            // The probe has ended.
        }
    }
}
