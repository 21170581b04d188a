package io.taskmaster.proxy.connections;

import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.util.List;

/**
 * A listening socket that accepts no more connections than {@link Connections} admits. Single-threaded: owned by its
 * event loop.
 */
final class BoundedListener extends NioServerSocketChannel {

    private final Connections connections;

    BoundedListener(Connections connections) {
        this.connections = connections;
    }

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        int count = super.doReadMessages(accepted);
        if (count <= 0) {
            return count;
        }
        var connection = (SocketChannel) accepted.getLast();
        if (connection.remoteAddress() == null) {
            // The peer closed the connection before it was accepted.
            return refuse(accepted, connection);
        }
        InetAddress from = connection.remoteAddress().getAddress();
        if (!connections.accept(from)) {
            return refuse(accepted, connection);
        }
        connection.closeFuture().addListener(_ -> connections.closed(from));
        return count;
    }

    /** Closes the connection. If more are waiting, the socket is ready again at once. */
    private static int refuse(List<Object> accepted, SocketChannel connection) {
        accepted.removeLast();
        connection.unsafe().closeForcibly();
        return 0;
    }
}
