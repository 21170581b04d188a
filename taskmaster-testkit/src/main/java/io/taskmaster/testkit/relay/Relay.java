package io.taskmaster.testkit.relay;

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
 * A network of our own between clients and a server. Clients connect to it, and it connects to the server in their name, each time
 * anew; so the server may be restarted behind it. What it does to connections holds for all that there are and all that come, until
 * {@link #heal}. Thread-safe; nothing blocks.
 *
 * <pre>{@code
 * try (Relay relay = Relay.to(server.address())) {
 *     // clients of relay.target() ...
 *     relay.stall(Flow.REPLIES);   // requests arrive, answers do not
 *     relay.cut();
 *     relay.heal();
 * }
 * }</pre>
 */
public final class Relay implements AutoCloseable {

    private static final int BACKLOG = 100;
    private static final int CONNECT_MILLIS = 5_000;

    private final InetSocketAddress server;
    private final ServerSocket entrance;
    private final Weather weather = new Weather();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();

    private Relay(InetSocketAddress server, ServerSocket entrance) {
        this.server = server;
        this.entrance = entrance;
    }

    /** Opens one on a free port of loopback. */
    public static Relay to(InetSocketAddress server) {
        try {
            Relay relay = new Relay(server, new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
            Thread.ofVirtual().name("relay entrance").start(relay::accept);
            return relay;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open a relay to " + server, e);
        }
    }

    /** Where clients connect to, as gRPC wants it: host and port. */
    public String target() {
        return entrance.getInetAddress().getHostAddress() + ":" + entrance.getLocalPort();
    }

    /** How many connections there are. */
    public int connections() {
        return links.size();
    }

    /** Breaks all connections that there are. New ones are welcome. */
    public void cut() {
        links.forEach(Link::cut);
    }

    /** Breaks all connections, and hangs up on who connects. */
    public void refuse() {
        weather.refuse();
        cut();
    }

    /** Lets nothing through in these directions; connections stay, and what was sent arrives when this ends. */
    public void stall(Flow... flows) {
        weather.stall(Set.of(flows));
    }

    /** Lets everything take so much longer, each way. */
    public void delay(Duration delay) {
        weather.delay(delay.toNanos());
    }

    /** Undoes what was done to the network. Broken connections stay broken. */
    public void heal() {
        weather.clear();
    }

    /** Breaks all connections for good. Idempotent. */
    @Override
    public void close() {
        weather.refuse();
        try {
            entrance.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                Thread.ofVirtual().name("relay connect").start(() -> connect(client));
            } catch (SocketException closed) {
                // The loop sees whether it is the entrance; else a client has gone again before we took it in.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void connect(Socket client) {
        Socket there = new Socket();
        try {
            if (weather.isRefusing()) {
                throw new IOException("refused");
            }
            there.connect(server, CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            there.setTcpNoDelay(true);
        } catch (IOException refused) {
            Link.close(there, true);
            Link.close(client, true);
            return;
        }
        Link link = new Link(client, there, weather, links::remove);
        links.add(link);
        link.start();
        if (weather.isRefusing()) {
            // We may have come too late for who cut them.
            link.cut();
        }
    }
}
