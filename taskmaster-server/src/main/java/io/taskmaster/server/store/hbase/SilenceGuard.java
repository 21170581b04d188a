package io.taskmaster.server.store.hbase;

import java.util.concurrent.TimeUnit;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelDuplexHandler;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelPromise;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A channel handler that closes a connection on which a request was sent and nothing was received for longer than a
 * call may take. Without it, a connection lives for a quarter of an hour after the network under it has gone or this
 * machine's address has changed: every call on it runs into its deadline, and no other connection is made.
 * Single-threaded: owned by the event loop of its channel.
 *
 * <pre>{@code
 * state   | event              | next    | effect
 * --------+--------------------+---------+----------------------------
 * quiet   | write              | waiting | the timer starts
 * waiting | write              | waiting | none: the timer goes on
 * waiting | read               | quiet   | the timer is cancelled
 * waiting | 15 s without a read| closed  | the connection is closed
 * any     | connection closed  | quiet   | the timer is cancelled
 * }</pre>
 */
final class SilenceGuard extends ChannelDuplexHandler {

    static final long LIMIT_SECONDS = 15;

    /** The timer that closes the connection unless data arrive first. Null while no answer is due. */
    private @Nullable Future<?> end;

    @Override
    public void write(ChannelHandlerContext context, Object sent, ChannelPromise promise) {
        // Further writes do not restart the timer: calls that keep coming would put its end off for ever.
        if (end == null) {
            end = context.executor().schedule(() -> end(context), LIMIT_SECONDS, TimeUnit.SECONDS);
        }
        var _ = context.write(sent, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object received) {
        reset();
        context.fireChannelRead(received);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        reset();
        context.fireChannelInactive();
    }

    private static void end(ChannelHandlerContext context) {
        var _ = context.close();
    }

    private void reset() {
        if (end != null) {
            end.cancel(false);
            end = null;
        }
    }
}
