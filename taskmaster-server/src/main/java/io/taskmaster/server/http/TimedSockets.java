package io.taskmaster.server.http;

import io.helidon.common.socket.SocketOptions;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Options of connections that make their read timeout hold: the web server itself applies it only to connections that it opens.
 * Without one, a caller who stops in the middle of a request would keep its thread for ever, and nobody could watch whether a caller
 * is still there. Immutable.
 */
final class TimedSockets implements SocketOptions {

    private final SocketOptions defaults = SocketOptions.create();
    private final Duration readTimeout;

    TimedSockets(Duration readTimeout) {
        this.readTimeout = readTimeout;
    }

    @Override
    public void configureSocket(SocketChannel connection) {
        defaults.configureSocket(connection);
        try {
            connection.socket().setSoTimeout(Math.toIntExact(readTimeout.toMillis()));
        } catch (SocketException closedAlready) {
            throw new UncheckedIOException(closedAlready);
        }
    }

    @Override
    public Duration readTimeout() {
        return readTimeout;
    }

    @Override
    public Duration connectTimeout() {
        return defaults.connectTimeout();
    }

    @Override
    public Map<SocketOption<?>, Object> socketOptions() {
        return defaults.socketOptions();
    }

    @Override
    public Optional<Integer> socketReceiveBufferSize() {
        return defaults.socketReceiveBufferSize();
    }

    @Override
    public Optional<Integer> socketSendBufferSize() {
        return defaults.socketSendBufferSize();
    }

    @Override
    public boolean socketReuseAddress() {
        return defaults.socketReuseAddress();
    }

    @Override
    public boolean socketKeepAlive() {
        return defaults.socketKeepAlive();
    }

    @Override
    public boolean tcpNoDelay() {
        return defaults.tcpNoDelay();
    }
}
