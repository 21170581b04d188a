package io.taskmaster.bench.seda;

import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Sink;
import io.taskmaster.stage.net.Connection;
import io.taskmaster.stage.net.Endpoint;
import io.taskmaster.stage.net.Framing;
import io.taskmaster.stage.net.Message;
import io.taskmaster.stage.net.Sockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The peers of the socket experiment, as a program: connections that send a request, wait for its answer, and send the next, and others that are silent.
 * It is told over a connection how many of each there are to be, and says when they are there. Single-threaded but for its sockets.
 */
final class SocketLoad {

    static final int REQUEST_BYTES = 8 << 10;
    static final int ANSWER_BYTES = 32;

    /** Of both kinds together; what a process may open is the limit. */
    static final int MAX_CONNECTIONS = 100_000;

    /** What it says when all connections are there. */
    static final Bytes READY = Bytes.of("ready");

    private static final Bytes REQUEST = Bytes.wrap(new byte[REQUEST_BYTES]);

    /** So many connections are made at once: fewer than may wait to be accepted. */
    private static final int WAVE = 500;

    private final InetSocketAddress server;
    private final Endpoint peers;
    private final Deque<Connection> asking = new ArrayDeque<>();
    private final Deque<Connection> silent = new ArrayDeque<>();

    private SocketLoad(InetSocketAddress server, Sockets sockets) {
        this.server = server;
        this.peers = sockets.endpoint(
                "peers",
                Framing.fixed(ANSWER_BYTES),
                SocketLoad::ask,
                settings -> settings.writes(Framing.fixed(REQUEST_BYTES)).maxConnections(MAX_CONNECTIONS));
    }

    private static Taken ask(Message answer) {
        // Refused if the connection is being closed.
        var _ = answer.connection().send(REQUEST);
        answer.done();
        return Taken.ACCEPTED;
    }

    /** Two ports on this host: where requests go, and where orders come from. */
    public static void main(String[] arguments) throws InterruptedException {
        InetAddress host = InetAddress.getLoopbackAddress();
        InetSocketAddress server = new InetSocketAddress(host, Integer.parseInt(arguments[0]));
        InetSocketAddress orders = new InetSocketAddress(host, Integer.parseInt(arguments[1]));
        BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
        Sink<Message> sink = message -> {
            inbox.add(message);
            return Taken.ACCEPTED;
        };
        try (Sockets sockets = Sockets.start()) {
            SocketLoad load = new SocketLoad(server, sockets);
            Connection control = sockets.endpoint("control", SocketPeers.ORDERS, sink)
                    .connect(orders)
                    .join();
            var _ = control.send(READY);
            while (true) {
                Message order = inbox.take();
                String[] counts = order.payload().toString().split(" ", -1);
                load.set(load.asking, Integer.parseInt(counts[0]), true);
                load.set(load.silent, Integer.parseInt(counts[1]), false);
                var _ = order.answer(READY);
            }
        }
    }

    private void set(Deque<Connection> open, int count, boolean asks) {
        while (open.size() < count) {
            List<CompletableFuture<Connection>> wave = new ArrayList<>();
            for (int i = Math.min(WAVE, count - open.size()); i > 0; i--) {
                wave.add(peers.connect(server));
            }
            for (CompletableFuture<Connection> made : wave) {
                Connection connection = made.join();
                open.add(connection);
                if (asks) {
                    var _ = connection.send(REQUEST);
                }
            }
        }
        List<CompletableFuture<?>> ending = new ArrayList<>();
        while (open.size() > count) {
            Connection last = open.removeLast();
            last.close();
            ending.add(last.ended());
        }
        CompletableFuture.allOf(ending.toArray(CompletableFuture[]::new)).join();
    }
}
