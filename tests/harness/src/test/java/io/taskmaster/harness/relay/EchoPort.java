package io.taskmaster.harness.relay;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A server that sends everything back. Thread-safe. */
final class EchoPort implements AutoCloseable {

    private final ServerSocket entrance;
    private final Thread acceptor;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

    EchoPort() throws IOException {
        entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        acceptor = Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(entrance.getInetAddress(), entrance.getLocalPort());
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket socket = entrance.accept();
                connections.add(socket);
                Thread.ofVirtual().start(() -> echo(socket));
            } catch (IOException closed) {
                // The condition of the loop ends it.
            }
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException cut) {
            // Tests cut connections on purpose.
        }
    }

    /**
     * Closes the port and every connection, after the end of the acceptor: a connection that waits in the backlog may
     * still be accepted once.
     */
    @Override
    public void close() throws IOException {
        entrance.close();
        Uninterruptibles.joinUninterruptibly(acceptor);
        for (Socket socket : connections) {
            socket.close();
        }
    }
}
