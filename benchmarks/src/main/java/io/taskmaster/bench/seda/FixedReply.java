package io.taskmaster.bench.seda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/**
 * A handler that sends the same bytes for every frame: the least that Netty can do. Shared by all connections.
 * Thread-safe.
 */
@Sharable
final class FixedReply extends SimpleChannelInboundHandler<ByteBuf> {

    private final ByteBuf bytes;
    private final LongAdder frames = new LongAdder();

    FixedReply(int length) {
        bytes = Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(length).writeZero(length).asReadOnly());
    }

    /** The number of frames received so far, all of them answered or about to be. */
    long frames() {
        return frames.sum();
    }

    /** Returns a view with indices of its own, one for each write. */
    ByteBuf bytes() {
        return bytes.duplicate();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        frames.increment();
        var _ = context.write(bytes());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) {
            context.fireExceptionCaught(cause);
        }
        // An I/O failure means that the peer has gone without closing, and the channel with it.
        var _ = context.close();
    }
}
