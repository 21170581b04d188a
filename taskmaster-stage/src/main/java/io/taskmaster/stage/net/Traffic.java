package io.taskmaster.stage.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.LongAdder;

/** Counts the bytes that come in. Thread-safe. */
@Sharable
final class Traffic extends ChannelInboundHandlerAdapter {

    private final LongAdder bytesIn;

    Traffic(LongAdder bytesIn) {
        this.bytesIn = bytesIn;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes) {
            bytesIn.add(bytes.readableBytes());
        }
        context.fireChannelRead(message);
    }
}
