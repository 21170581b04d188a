package io.taskmaster.bench.seda;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/** Sends the same bytes back for every frame: as little as Netty can do. Shared by all connections; thread-safe. */
@Sharable
final class FixedReply extends SimpleChannelInboundHandler<ByteBuf> {

    private final ByteBuf bytes;
    private final LongAdder frames = new LongAdder();

    FixedReply(int length) {
        bytes = Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(length).writeZero(length).asReadOnly());
    }

    /** How many have come, and are answered or about to be. */
    long frames() {
        return frames.sum();
    }

    /** A view of its own for each who sends them. */
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
        // Else the peer has gone without a word, and the channel with it.
        var _ = context.close();
    }
}
