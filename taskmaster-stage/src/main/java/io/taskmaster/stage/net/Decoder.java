package io.taskmaster.stage.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;

/**
 * The decoder of one connection: finds one message at each call, and knows the bytes that it has read of the next one.
 * Single-threaded: owned by the thread of the connection.
 *
 * @param handler the handler for the pipeline, which passes each message on
 * @param remainder the bytes that it has read and not passed on
 * @param cumulation the buffer of these bytes
 */
record Decoder(ByteToMessageDecoder handler, Remainder remainder, Cumulation cumulation) {

    /** The bytes that a decoder has read and not passed on. */
    interface Remainder {

        ByteBuf remainder();
    }

    /** A step of decoding. */
    interface Step {

        void in(ChannelHandlerContext context) throws Exception;
    }

    /** Takes a step, unless the handler has left the pipeline. */
    void run(Channel channel, Step step) throws Exception {
        ChannelHandlerContext context = channel.pipeline().context(handler);
        if (context != null) {
            step.in(context);
        }
    }

    /** The number of bytes that were read and not passed on. */
    int heldBytes() {
        return remainder.remainder().readableBytes();
    }

    /** Looks for the next message in what was read. */
    void next(ChannelHandlerContext context) throws Exception {
        handler.channelRead(context, Unpooled.EMPTY_BUFFER);
    }

    /**
     * Moves a few bytes in a large buffer to a small one, so that buffers take no more than about twice what is
     * counted.
     */
    void trim(ChannelHandlerContext context) throws Exception {
        if (Cumulation.isLoose(remainder.remainder())) {
            cumulation.trimNext();
            next(context);
        }
    }
}
