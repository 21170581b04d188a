package io.taskmaster.stage.net;

import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.TimeUnit;

/**
 * The last phase of a connection that is closed in order: its output is shut down, and input is discarded until the
 * peer ends its side. Closing a socket with unread bytes would reset the connection, and the peer might lose its
 * answers. Stateless.
 */
final class Linger {

    /** The longest time that a peer has to end its side. */
    static final long MILLIS = 1_000;

    private Linger() {}

    /** Shuts the output of a connection down, and closes it after the time if its peer has not. */
    static void on(DuplexChannel socket, Decoder decoder) {
        // Without the decoder, input is released as it is read.
        var unusedHandler = socket.pipeline().remove(decoder.handler());
        var unusedShutdown = socket.shutdownOutput();
        var unusedConfig = socket.config().setAutoRead(true);
        var unusedTimer = socket.eventLoop().schedule(() -> close(socket), MILLIS, TimeUnit.MILLISECONDS);
    }

    private static void close(DuplexChannel socket) {
        var unusedClose = socket.close();
    }
}
