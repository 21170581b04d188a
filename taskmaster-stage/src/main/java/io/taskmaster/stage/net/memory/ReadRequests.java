package io.taskmaster.stage.net.memory;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Buffers for the reads of one connection: as large as Netty's guess, and no larger than the {@link Share} grants.
 * Single-threaded: owned by the thread of the connection.
 */
public final class ReadRequests extends RecvByteBufAllocator.DelegatingHandle
        implements RecvByteBufAllocator.ExtendedHandle {

    private static final RecvByteBufAllocator GUESSES = new AdaptiveRecvByteBufAllocator(64, 2_048, Budget.READ_BYTES);

    private final Share share;

    private ReadRequests(Share share) {
        super(GUESSES.newHandle());
        this.share = share;
    }

    public static RecvByteBufAllocator of(Share share) {
        return () -> new ReadRequests(share);
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
        return allocator.ioBuffer(share.grant(delegate().guess()));
    }

    /** Ignores whether the socket may have more, so that each request is one read, with a grant of its own. */
    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
        return continueReading();
    }
}
