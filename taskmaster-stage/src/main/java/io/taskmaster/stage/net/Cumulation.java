package io.taskmaster.stage.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.ByteToMessageDecoder;

/** What a decoder has read, in one buffer, which can be made smaller. Single-threaded: owned by the thread of the connection. */
final class Cumulation implements ByteToMessageDecoder.Cumulator {

    /** So much more than twice its bytes may a buffer have. */
    private static final int SPARE_BYTES = 256;

    private boolean trims;

    static boolean isLoose(ByteBuf buffer) {
        return buffer.isReadable() && buffer.capacity() > 2L * buffer.readableBytes() + SPARE_BYTES;
    }

    /** The next call, with nothing that is new, trims. */
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
