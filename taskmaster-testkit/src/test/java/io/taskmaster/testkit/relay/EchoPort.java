package io.taskmaster.testkit.relay;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Sends everything back. Thread-safe. */
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
                // Then the loop ends.
            }
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException cut) {
            // That is what it is for.
        }
    }

    /** From its return on, nobody is served: who waits to be accepted when the entrance closes may be accepted once more. */
    @Override
    public void close() throws IOException {
        entrance.close();
        Uninterruptibles.joinUninterruptibly(acceptor);
        for (Socket socket : connections) {
            socket.close();
        }
    }
}
