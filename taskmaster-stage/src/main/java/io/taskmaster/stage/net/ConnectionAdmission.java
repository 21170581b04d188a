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
 * A listening socket of an endpoint. Single-threaded: owned by the thread of its channel, but for {@link #placeFree}.
 *
 * <p>It takes a place before it accepts a connection, so that none is accepted that has no place. Without a place
 * nothing is accepted, and the backlog of the operating system holds new peers.
 *
 * <pre>{@code
 * state     | event                               | next state | effect
 * ACCEPTING | a connection, and another place     | ACCEPTING  | the connection has the place that was held
 * ACCEPTING | a connection, and no other place    | STOPPED    | automatic reads are off
 * STOPPED   | placeFree, and there is a place     | ACCEPTING  | automatic reads are on
 * ACCEPTING | accepting fails                     | PAUSED     | off for PAUSE_MILLIS; it keeps its place
 * PAUSED    | the pause is over                   | ACCEPTING  |
 * any       | the channel is closed               | gone       | its place is returned
 * }</pre>
 */
final class ConnectionAdmission extends ChannelInboundHandlerAdapter {

    /** The most connections that are accepted before other channels of the thread go on. */
    private static final int AT_ONCE = 16;

    /** The pause after a failure to accept, for want of a file descriptor for example, in milliseconds. */
    private static final long PAUSE_MILLIS = 1_000;

    private final Endpoint endpoint;
    private final AtomicBoolean isCalled = new AtomicBoolean();

    /** The channel, while there is no place; null otherwise. */
    private volatile @Nullable Channel stopped;

    /** True if the next connection has a place. */
    private boolean hasPlace;

    ConnectionAdmission(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Looks for a place, since one may be free. Thread-safe. */
    void placeFree() {
        Channel channel = stopped;
        if (channel != null && isCalled.compareAndSet(false, true)) {
            try {
                channel.eventLoop().execute(() -> {
                    // The flag is cleared first, so that a place which comes free meanwhile calls again.
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
        RecvByteBufAllocator allocator = new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(AT_ONCE);
        channel.config().setRecvByteBufAllocator(() -> new Accepts(channel, allocator));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        open(context.channel());
    }

    private void open(Channel channel) {
        if (channel.isOpen()) {
            findPlace(channel);
            channel.config().setAutoRead(hasPlace);
        }
    }

    private void findPlace(Channel channel) {
        hasPlace = hasPlace || endpoint.tryTakePlace();
        if (hasPlace) {
            stopped = null;
            return;
        }
        boolean isNewlyStopped = stopped == null;
        stopped = channel;
        hasPlace = endpoint.tryTakePlace();
        if (hasPlace) {
            // The place came free before the field was set, when it would not have called here.
            stopped = null;
        } else if (isNewlyStopped) {
            endpoint.endpointCounters().acceptStops.increment();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        // The place passes to the connection, whatever becomes of it.
        endpoint.accepted((Channel) accepted);
        context.fireChannelRead(accepted);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Channel channel = context.channel();
        endpoint.cannotAccept(cause);
        channel.config().setAutoRead(false);
        var unused = channel.eventLoop().schedule(() -> open(channel), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stopped = null;
        if (hasPlace) {
            hasPlace = false;
            endpoint.releasePlace();
        }
        context.fireChannelInactive();
    }

    /** A handle that takes a place for each connection that is accepted, before the next one is. */
    private final class Accepts extends RecvByteBufAllocator.DelegatingHandle
            implements RecvByteBufAllocator.ExtendedHandle {

        private final Channel channel;

        Accepts(Channel channel, RecvByteBufAllocator allocator) {
            super(allocator.newHandle());
            this.channel = channel;
        }

        @Override
        public void incMessagesRead(int accepted) {
            super.incMessagesRead(accepted);
            hasPlace = false;
        }

        @Override
        public boolean continueReading() {
            // Without a place this turns auto-read off, which ends the loop of Netty that accepts connections.
            open(channel);
            return super.continueReading();
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return continueReading();
        }
    }
}
