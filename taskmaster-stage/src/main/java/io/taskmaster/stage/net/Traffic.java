package io.taskmaster.stage.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.atomic.LongAdder;

/**
 * The input of one connection: counts its bytes, and lets a read through only if the {@link ConnectionHandler} has
 * asked for it. A decoder without a complete message asks for reads by itself, even while the connection must not be
 * read. Single-threaded: owned by the thread of the connection.
 */
final class Traffic extends ChannelDuplexHandler {

    private final LongAdder bytesIn;
    private boolean isReadRequested;

    Traffic(LongAdder bytesIn) {
        this.bytesIn = bytesIn;
    }

    /** Returns whether a read was asked for, and the peer has sent nothing since. */
    boolean isReadRequested() {
        return isReadRequested;
    }

    /** Asks for one read, which takes place when the peer has sent something. */
    void requestRead(Channel channel) {
        isReadRequested = true;
        channel.read();
    }

    @Override
    public void read(ChannelHandlerContext context) {
        if (isReadRequested || context.channel().config().isAutoRead()) {
            context.read();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes) {
            bytesIn.add(bytes.readableBytes());
        }
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        isReadRequested = false;
        context.fireChannelReadComplete();
    }
}
