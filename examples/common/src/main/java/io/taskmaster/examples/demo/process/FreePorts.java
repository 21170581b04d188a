package io.taskmaster.examples.demo.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;

/**
 * Two different ports of the loopback address that were free when they were chosen. They are not among those of
 * outgoing connections: while a server is down, a client that connects to it could take such a port. Immutable.
 */
record FreePorts(int grpc, int http) {

    private static final int FIRST_PORT = 20_000;
    private static final int END_PORT = 32_000;
    private static final int TRIES = 100;

    /** Returns random ports. */
    static FreePorts choose() {
        return choose(() -> ThreadLocalRandom.current().nextInt(FIRST_PORT, END_PORT));
    }

    /** Returns the first two of some ports that are free. The first is held until the second is chosen. */
    static FreePorts choose(IntSupplier ports) {
        try (ServerSocket grpc = probe(ports);
                ServerSocket http = probe(ports)) {
            return new FreePorts(grpc.getLocalPort(), http.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on loopback", e);
        }
    }

    private static ServerSocket probe(IntSupplier ports) throws IOException {
        IOException taken = new IOException("not tried");
        for (int i = 0; i < TRIES; i++) {
            try {
                return new ServerSocket(ports.getAsInt(), 1, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                taken = e;
            }
        }
        throw taken;
    }
}
