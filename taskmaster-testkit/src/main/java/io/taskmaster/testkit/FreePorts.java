package io.taskmaster.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports that nobody listens on. Stateless. */
final class FreePorts {

    private static final int FIRST = 20_000;

    /** From here on are those that outgoing connections get: while a server is down, its own clients might take its port. */
    private static final int END = 32_000;

    private static final int TRIES = 1_000;

    private FreePorts() {}

    static int find() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return port;
            } catch (IOException taken) {
                // The next one may be free.
            }
        }
        throw new IllegalStateException(
                "ports: none of %d is free (expected: one from %d to %d)".formatted(TRIES, FIRST, END - 1));
    }
}
