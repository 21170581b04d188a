package io.taskmaster.testkit.process;

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

    /** How often somebody may be quicker than a server that opens. */
    private static final int OPENINGS = 5;

    private FreePort() {}

    /** Somebody was quicker. */
    public static final class TakenException extends Exception {

        private static final long serialVersionUID = 1L;

        private TakenException(String lastWords) {
            super(lastWords);
        }
    }

    /** Opens a server on a port. */
    @FunctionalInterface
    public interface Opener<T, E extends Exception> {

        /**
         * @throws IOException if the server is of this process and cannot open, perhaps because the port is taken by now
         * @throws TakenException if the port is taken by now
         */
        T openAt(InetSocketAddress address) throws E, IOException, TakenException;
    }

    /**
     * Opens a server on a port that nobody holds; on another one if somebody is quicker.
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
        throw new IllegalStateException("no server opens on loopback: " + taken.getMessage(), taken);
    }

    /** Tells from what a server said before it ended whether somebody else has its port. */
    public static void throwIfTaken(String lastWords) throws TakenException {
        if (lastWords.contains("in use")) {
            throw new TakenException(lastWords);
        }
    }

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
