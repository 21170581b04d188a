package io.taskmaster.harness.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP relay that simulates a network between clients and a server.
 *
 * <p>Clients connect to the relay, and it opens a connection to the server for each of them. So the server may be
 * restarted behind it. Each restriction applies to all present and future connections until {@link #heal}; several can
 * be active at once:
 *
 * <pre>{@code
 * restriction | set by    | effect
 * ------------+-----------+-----------------------------------------------------------------
 * refusing    | refuse()  | connections are reset, and new ones too
 * stalled     | stall()   | nothing passes in these directions; connections stay
 * delayed     | delay()   | everything takes longer in each direction
 * }</pre>
 *
 * {@link #cut} breaks the present connections once.
 *
 * <pre>{@code
 * try (Relay relay = Relay.to(server.address())) {
 *     // clients of relay.target() ...
 *     relay.stall(ByteFlow.REPLIES);   // requests arrive, answers do not
 *     relay.cut();
 *     relay.heal();
 * }
 * }</pre>
 *
 * Thread-safe; nothing blocks.
 */
public final class Relay implements AutoCloseable {

    private static final int BACKLOG = 100;
    private static final int CONNECT_MILLIS = 5_000;

    private final InetSocketAddress server;
    private final ServerSocket listener;
    private final LinkConditions linkConditions = new LinkConditions();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();

    private Relay(InetSocketAddress server, ServerSocket listener) {
        this.server = server;
        this.listener = listener;
    }

    /** Opens a relay on a free port of loopback. */
    public static Relay to(InetSocketAddress server) {
        try {
            Relay relay = new Relay(server, new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
            Thread.ofVirtual().name("relay entrance").start(relay::accept);
            return relay;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open a relay to " + server, e);
        }
    }

    /** Returns the address for clients in the form of gRPC: host and port. */
    public String target() {
        return listener.getInetAddress().getHostAddress() + ":" + listener.getLocalPort();
    }

    /** Returns the number of connections. */
    public int connections() {
        return links.size();
    }

    /** Breaks all present connections. New ones are accepted. */
    public void cut() {
        links.forEach(Link::cut);
    }

    /** Breaks all connections, and resets new ones. */
    public void refuse() {
        linkConditions.refuse();
        cut();
    }

    /** Stalls these directions; connections stay, and what was sent arrives when the stall ends. */
    public void stall(ByteFlow... flows) {
        linkConditions.stall(Set.of(flows));
    }

    /** Delays everything by this span in each direction. */
    public void delay(Duration delay) {
        linkConditions.delay(delay.toNanos());
    }

    /** Lifts all restrictions. Broken connections stay broken. */
    public void heal() {
        linkConditions.clear();
    }

    /** Breaks all connections for good. Idempotent. */
    @Override
    public void close() {
        linkConditions.refuse();
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().name("relay connect").start(() -> connect(client));
            } catch (SocketException closed) {
                // Either the server socket was closed, which ends the loop, or a client was gone before its connection
                // was accepted.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void connect(Socket client) {
        Socket socket = new Socket();
        try {
            if (linkConditions.isRefusing()) {
                throw new IOException("refused");
            }
            socket.connect(server, CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            socket.setTcpNoDelay(true);
        } catch (IOException refused) {
            Link.close(socket, true);
            Link.close(client, true);
            return;
        }
        Link link = new Link(client, socket, linkConditions, links::remove);
        links.add(link);
        link.start();
        if (linkConditions.isRefusing()) {
            // refuse() may have cut all links just before this one was added.
            link.cut();
        }
    }
}
