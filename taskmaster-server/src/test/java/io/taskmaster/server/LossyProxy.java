package io.taskmaster.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy to a server that can swallow replies, and be cut, so that a request arrives and its reply does not.
 * Thread-safe.
 */
final class LossyProxy implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;

    private final int target;
    private final ServerSocket entrance;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final Set<Socket> servers = ConcurrentHashMap.newKeySet();
    private final Set<Socket> muted = ConcurrentHashMap.newKeySet();

    /**
     * Starts the proxy.
     *
     * @param target the server's port on this machine
     */
    LossyProxy(int target) throws IOException {
        this.target = target;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + entrance.getLocalPort();
    }

    /** Swallows all replies over existing connections from now on. */
    void swallowReplies() {
        muted.addAll(servers);
    }

    /** Breaks the existing connections; new ones work. */
    void cut() throws IOException {
        hangUp(clients);
        hangUp(servers);
        muted.clear();
    }

    private static void hangUp(Set<Socket> sockets) throws IOException {
        for (Socket socket : Set.copyOf(sockets)) {
            sockets.remove(socket);
            socket.close();
        }
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                clients.add(client);
                servers.add(server);
                Thread.ofVirtual().start(() -> pump(client, server));
                Thread.ofVirtual().start(() -> pump(server, client));
            } catch (IOException closed) {
                if (!entrance.isClosed()) {
                    throw new UncheckedIOException(closed);
                }
            }
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                if (!muted.contains(from)) {
                    to.getOutputStream().write(buffer, 0, read);
                }
            }
            to.shutdownOutput();
        } catch (IOException cut) {
            // One end closed the connection, or cut() did.
        }
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        cut();
    }
}
