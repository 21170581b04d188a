package io.taskmaster.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A finder of free ports on loopback.
 *
 * <p>The ports are below those that systems assign to outgoing connections. Otherwise a client that keeps connecting to
 * a port that is closed for a moment could be assigned that very port one day, and hold it.
 */
public final class FreePort {

    private static final int FIRST = 20_000;
    private static final int END = 32_000;
    private static final int TRIES = 100;

    /** The number of attempts, as another process may take the port before the server opens it. */
    private static final int OPENINGS = 5;

    private FreePort() {}

    /** An exception for a port that another process has taken. */
    public static final class TakenException extends Exception {

        private static final long serialVersionUID = 1L;

        private TakenException(String output) {
            super(output);
        }
    }

    /** An operation that opens a server on a port. */
    @FunctionalInterface
    public interface Opener<T, E extends Exception> {

        /**
         * @throws IOException if a server in this process cannot open, for example because the port is taken by now
         * @throws TakenException if the port is taken by now
         */
        T openAt(InetSocketAddress address) throws E, IOException, TakenException;
    }

    /**
     * Opens a server on a free port; on another one if that is taken meanwhile.
     *
     * @throws IllegalStateException if it does not open on any
     */
    public static <T, E extends Exception> T open(Opener<T, E> opener) throws E {
        Exception taken = new IOException("not tried");
        for (int i = 0; i < OPENINGS; i++) {
            try {
                return opener.openAt(onLoopback());
            } catch (IOException | TakenException e) {
                taken = e;
            }
        }
        throw new IllegalStateException("no server starts on loopback: " + taken.getMessage(), taken);
    }

    /** Throws if the last output of a server shows that its port was taken. */
    public static void throwIfTaken(String output) throws TakenException {
        if (output.contains("in use")) {
            throw new TakenException(output);
        }
    }

    /** Returns a port that was free just now. Another process may take it before it is used: then that start fails. */
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
