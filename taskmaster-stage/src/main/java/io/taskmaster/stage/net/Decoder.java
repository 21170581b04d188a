package io.taskmaster.stage.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;

/**
 * Finds the messages of one connection, one at each call, and knows what it has read of the next one. Single-threaded: owned by the thread of the connection.
 *
 * @param handler for the pipeline; it passes each message on
 * @param remainder what it holds
 */
record Decoder(ByteToMessageDecoder handler, Remainder remainder, Cumulation cumulation) {

    /** What a decoder has read and not passed on. */
    interface Remainder {

        ByteBuf remainder();
    }

    /** How many bytes were read and not passed on. */
    int heldBytes() {
        return remainder.remainder().readableBytes();
    }

    /** Looks for the next message in what was read. */
    void next(ChannelHandlerContext context) throws Exception {
        handler.channelRead(context, Unpooled.EMPTY_BUFFER);
    }

    /** Puts a few bytes that stand in a large buffer into a small one, so that buffers take what is counted, or twice as much. */
    void trim(ChannelHandlerContext context) throws Exception {
        if (Cumulation.isLoose(remainder.remainder())) {
            cumulation.trimNext();
            next(context);
        }
    }
}
