package io.taskmaster.stage.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/** Buffers for what one connection reads: as large as Netty guesses, and as its {@link Share} has bytes for. Single-threaded: owned by the thread of the connection. */
final class Reads extends RecvByteBufAllocator.DelegatingHandle implements RecvByteBufAllocator.ExtendedHandle {

    private static final RecvByteBufAllocator GUESSES = new AdaptiveRecvByteBufAllocator(64, 2_048, Budget.READ_BYTES);

    private final Share share;

    private Reads(Share share) {
        super(GUESSES.newHandle());
        this.share = share;
    }

    static RecvByteBufAllocator of(Share share) {
        return () -> new Reads(share);
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
        return allocator.ioBuffer(share.grant(delegate().guess()));
    }

    /** A connection is read once each time that it asks. */
    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
        return continueReading();
    }
}
