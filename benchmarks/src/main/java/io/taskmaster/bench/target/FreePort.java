package io.taskmaster.bench.target;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports on loopback that nobody listens on. They are below those that systems hand out to outgoing connections: a client that
 * keeps knocking at a port where nobody listens for a moment would else be given that very port one day, and hold it.
 */
public final class FreePort {

    private static final int FIRST = 20_000;
    private static final int END = 32_000;
    private static final int TRIES = 100;

    private FreePort() {}

    /** A port that was free just now. Somebody else may take it before it is used: then that start fails. */
    public static InetSocketAddress onLoopback() {
        IOException taken = new IOException("not tried");
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return new InetSocketAddress(socket.getInetAddress(), port);
            } catch (IOException e) {
                taken = e;
            }
        }
        throw new IllegalStateException("no free port on loopback", taken);
    }
}
