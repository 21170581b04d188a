package io.taskmaster.server.store.hbase;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/** The sockets of HBase's client: its own, but closed when the other side falls silent ({@link SilenceGuard}). Stateless. */
final class Sockets {

    /**
     * ZooKeeper's client gives a connection up when it heard nothing for two thirds of its session's timeout: a minute, in files that suit region
     * servers. HBase's client only reads there, so nothing is lost with its session.
     */
    private static final int ZOOKEEPER_SESSION_MILLIS = 15_000;

    private Sockets() {}

    /** Lets HBase's client use them, unless whoever runs it has chosen others, and give up connections to ZooKeeper as soon. */
    static void applyTo(Configuration configuration) {
        int session = configuration.getInt(HConstants.ZK_SESSION_TIMEOUT, ZOOKEEPER_SESSION_MILLIS);
        configuration.setInt(HConstants.ZK_SESSION_TIMEOUT, Math.min(session, ZOOKEEPER_SESSION_MILLIS));
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
