package io.taskmaster.stage.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.ByteToMessageDecoder;

/**
 * The bytes that a decoder has read, in one buffer that can be trimmed. Single-threaded: owned by the thread of the
 * connection.
 */
final class Cumulation implements ByteToMessageDecoder.Cumulator {

    /** The number of bytes that a buffer may have beyond twice its content. */
    private static final int SPARE_BYTES = 256;

    private boolean trims;

    static boolean isLoose(ByteBuf buffer) {
        return buffer.isReadable() && buffer.capacity() > 2L * buffer.readableBytes() + SPARE_BYTES;
    }

    /** Makes the next call trim the buffer; that call brings no new bytes. */
    void trimNext() {
        trims = true;
    }

    @Override
    public ByteBuf cumulate(ByteBufAllocator allocator, ByteBuf before, ByteBuf more) {
        if (!trims) {
            return ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(allocator, before, more);
        }
        trims = false;
        more.release();
        ByteBuf trimmed = allocator.buffer(before.readableBytes()).writeBytes(before);
        before.release();
        return trimmed;
    }
}
