package io.taskmaster.server.store.hbase;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/** The sockets of HBase's client: its own, but closed when the peer falls silent ({@link SilenceGuard}). Stateless. */
final class HBaseSockets {

    /**
     * The maximum session timeout of ZooKeeper. Its client drops a connection after silence of two thirds of the
     * session timeout, which is a minute in configurations made for region servers. HBase's client only reads there, so
     * nothing is lost with its session.
     */
    private static final int ZOOKEEPER_SESSION_MILLIS = 15_000;

    private HBaseSockets() {}

    /**
     * Makes HBase's client use these sockets, unless its configuration selects others, and makes it drop silent
     * connections to ZooKeeper as soon.
     */
    static void applyTo(Configuration configuration) {
        int session = configuration.getInt(HConstants.ZK_SESSION_TIMEOUT, ZOOKEEPER_SESSION_MILLIS);
        configuration.setInt(HConstants.ZK_SESSION_TIMEOUT, Math.min(session, ZOOKEEPER_SESSION_MILLIS));
        if (configuration.get(NettyRpcClientConfigHelper.EVENT_LOOP_CONFIG) == null) {
            NettyRpcClientConfigHelper.setEventLoopConfig(configuration, Loops.SHARED, GuardedSocket.class);
        }
    }

    /** The event loops of all connections of this process. HBase's own are shared in the same way. */
    private static final class Loops {
        static final EventLoopGroup SHARED =
                new NioEventLoopGroup(0, new DefaultThreadFactory("hbase-client", true, Thread.NORM_PRIORITY));
    }

    /** A socket with a guard. Netty creates it by reflection, so it is public. */
    public static final class GuardedSocket extends NioSocketChannel {
        public GuardedSocket() {
            pipeline().addLast(new SilenceGuard());
        }
    }
}
