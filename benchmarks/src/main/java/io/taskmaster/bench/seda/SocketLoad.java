package io.taskmaster.bench.seda;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Sink;
import io.taskmaster.stage.net.Message;
import io.taskmaster.stage.net.PeerConnection;
import io.taskmaster.stage.net.Sockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The main program of the peers of the socket experiment. Active connections send a request, wait for its answer, and
 * send the next; silent ones send nothing. The peers are bare Netty, and the same for every server, so that differences
 * are the server's. Orders come over a control connection: the port of the server and the number of connections of each
 * kind; the program replies once they are established. Single-threaded, apart from its sockets.
 */
final class SocketLoad {

    static final int REQUEST_BYTES = 8 << 10;
    static final int ANSWER_BYTES = 32;

    /** The bound on connections of both kinds together; the limit of open files may be lower. */
    static final int MAX_CONNECTIONS = 100_000;

    /** The reply once all connections are established. */
    static final Bytes READY = Bytes.of("ready");

    /** The number of connections made at a time: fewer than the accept backlog of the server. */
    private static final int WAVE = 500;

    private final FixedReply requests = new FixedReply(REQUEST_BYTES);
    private final Bootstrap peer;
    private final Deque<Channel> active = new ArrayDeque<>();
    private final Deque<Channel> silent = new ArrayDeque<>();
    private int port;

    private SocketLoad(EventLoopGroup loops) {
        peer = BareNetty.client(loops, ANSWER_BYTES, requests);
    }

    /**
     * Runs the peers until the process is killed.
     *
     * @param arguments the port on this host from which orders come
     */
    public static void main(String[] arguments) throws InterruptedException {
        InetSocketAddress orders =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
        BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
        Sink<Message> sink = message -> {
            inbox.add(message);
            return Taken.ACCEPTED;
        };
        try (Sockets sockets = Sockets.start(1)) {
            SocketLoad load = new SocketLoad(BareNetty.loops("peers"));
            PeerConnection control = sockets.endpoint("control", SocketPeers.ORDERS, sink)
                    .connect(orders)
                    .join();
            var _ = control.send(READY);
            while (true) {
                Message order = inbox.take();
                String[] counts = order.payload().toString().split(" ", -1);
                load.set(Integer.parseInt(counts[0]), Integer.parseInt(counts[1]), Integer.parseInt(counts[2]));
                var _ = order.answer(READY);
            }
        }
    }

    private void set(int port, int activeCount, int silentCount) {
        boolean isElsewhere = port != this.port;
        this.port = port;
        // Connections to another server are all closed; of those to the same one only the surplus.
        end(active, isElsewhere ? 0 : activeCount);
        end(silent, isElsewhere ? 0 : silentCount);
        begin(silent, silentCount);
        // The older connections have a request in flight already; only new ones need a first request.
        int previousCount = active.size();
        begin(active, activeCount);
        for (Channel begun : active.stream().skip(previousCount).toList()) {
            var _ = begun.writeAndFlush(requests.bytes());
        }
    }

    private void begin(Deque<Channel> open, int count) {
        while (open.size() < count) {
            List<ChannelFuture> wave = new ArrayList<>();
            for (int i = Math.min(WAVE, count - open.size()); i > 0; i--) {
                wave.add(peer.connect(InetAddress.getLoopbackAddress(), port));
            }
            for (ChannelFuture made : wave) {
                open.add(made.syncUninterruptibly().channel());
            }
        }
    }

    private static void end(Deque<Channel> open, int count) {
        List<ChannelFuture> ending = new ArrayList<>();
        while (open.size() > count) {
            ending.add(open.removeLast().close());
        }
        ending.forEach(ChannelFuture::awaitUninterruptibly);
    }
}
