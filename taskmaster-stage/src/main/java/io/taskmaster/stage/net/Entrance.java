package io.taskmaster.stage.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Where an endpoint listens. It takes a place before it accepts a connection, so that it accepts none that has no place: if there is none, nothing is accepted, and the backlog of the
 * operating system holds who comes, until it is {@linkplain #placeFree told} that there may be one. If accepting fails, for want of a file descriptor for example, it is tried again after
 * {@link #PAUSE_MILLIS}. Single-threaded: owned by the thread of its channel, but for {@link #placeFree}.
 */
final class Entrance extends ChannelInboundHandlerAdapter {

    /** How many are accepted, at most, before others have their turn on the thread. */
    private static final int AT_ONCE = 16;

    /** After a failure. */
    private static final long PAUSE_MILLIS = 1_000;

    private final Endpoint endpoint;
    private final AtomicBoolean isCalled = new AtomicBoolean();

    /** Its channel, while there is no place. */
    private volatile @Nullable Channel stopped;

    /** Whether the next one has a place. */
    private boolean hasPlace;

    Entrance(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** There may be a place. Thread-safe. */
    void placeFree() {
        Channel channel = stopped;
        if (channel != null && isCalled.compareAndSet(false, true)) {
            try {
                channel.eventLoop().execute(() -> {
                    isCalled.set(false);
                    open(channel);
                });
            } catch (RejectedExecutionException ended) {
                stopped = null;
            }
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        Channel channel = context.channel();
        RecvByteBufAllocator some = new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(AT_ONCE);
        var _ = channel.config().setRecvByteBufAllocator(() -> new Accepts(channel, some));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        open(context.channel());
    }

    private void open(Channel channel) {
        if (channel.isOpen()) {
            findPlace(channel);
            var _ = channel.config().setAutoRead(hasPlace);
        }
    }

    private void findPlace(Channel channel) {
        hasPlace = hasPlace || endpoint.takePlace();
        if (hasPlace) {
            stopped = null;
            return;
        }
        boolean isStoppedAnew = stopped == null;
        stopped = channel;
        hasPlace = endpoint.takePlace();
        if (hasPlace) {
            // It came free before anybody could know that it is waited for.
            stopped = null;
        } else if (isStoppedAnew) {
            endpoint.tally().acceptStops.increment();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        // It comes with a place, whatever becomes of it.
        endpoint.accepted((Channel) accepted);
        context.fireChannelRead(accepted);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Channel channel = context.channel();
        endpoint.cannotAccept(cause);
        var _ = channel.config().setAutoRead(false);
        var _ = channel.eventLoop().schedule(() -> open(channel), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stopped = null;
        if (hasPlace) {
            hasPlace = false;
            endpoint.givePlaceBack();
        }
        context.fireChannelInactive();
    }

    /** Hears of each connection that is accepted, before the next one is. */
    private final class Accepts extends RecvByteBufAllocator.DelegatingHandle
            implements RecvByteBufAllocator.ExtendedHandle {

        private final Channel channel;

        Accepts(Channel channel, RecvByteBufAllocator some) {
            super(some.newHandle());
            this.channel = channel;
        }

        @Override
        public void incMessagesRead(int accepted) {
            super.incMessagesRead(accepted);
            hasPlace = false;
        }

        @Override
        public boolean continueReading() {
            open(channel);
            return super.continueReading();
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return continueReading();
        }
    }
}
