package io.taskmaster.server.store.hbase;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/** The sockets of HBase's client: its own, but closed when the other side falls silent ({@link SilenceGuard}). Stateless. */
final class Sockets {

    private Sockets() {}

    /** Lets HBase's client use them, unless whoever runs it has chosen others. */
    static void applyTo(Configuration configuration) {
        if (configuration.get(NettyRpcClientConfigHelper.EVENT_LOOP_CONFIG) == null) {
            NettyRpcClientConfigHelper.setEventLoopConfig(configuration, Loops.SHARED, GuardedSocket.class);
        }
    }

    /** Of all connections of this process, as HBase's own are. */
    private static final class Loops {
        static final EventLoopGroup SHARED =
                new NioEventLoopGroup(0, new DefaultThreadFactory("hbase-client", true, Thread.NORM_PRIORITY));
    }

    /** Made by Netty, which wants it to be public. */
    public static final class GuardedSocket extends NioSocketChannel {
        public GuardedSocket() {
            pipeline().addLast(new SilenceGuard());
        }
    }
}
