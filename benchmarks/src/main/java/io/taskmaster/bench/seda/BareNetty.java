package io.taskmaster.bench.seda;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A server of Netty alone, with as many threads as the sockets of stages have: the reference for those. It reads
 * whatever is there, while stages read on request. Thread-safe.
 */
final class BareNetty implements Answering {

    private static final int NO_TIME = 0;

    private final EventLoopGroup loops = loops("bare");
    private final FixedReply reply = new FixedReply(SocketLoad.ANSWER_BYTES);
    private final Channel serverChannel;

    BareNetty(InetSocketAddress at) {
        serverChannel = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(frames(SocketLoad.REQUEST_BYTES, reply))
                .bind(at)
                .syncUninterruptibly()
                .channel();
    }

    /** Returns an event loop group with one thread per processor. */
    static EventLoopGroup loops(String name) {
        return new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(),
                new DefaultThreadFactory(name, true),
                NioIoHandler.newFactory());
    }

    /** Returns a client that connects, and passes frames of this length to a handler. */
    static Bootstrap client(EventLoopGroup loops, int frame, ChannelHandler handler) {
        return new Bootstrap().group(loops).channel(NioSocketChannel.class).handler(frames(frame, handler));
    }

    private static ChannelHandler frames(int length, ChannelHandler handler) {
        return new ChannelInitializer<SocketChannel>() {

            @Override
            protected void initChannel(SocketChannel channel) {
                ChannelPipeline _ = channel.pipeline().addLast(new FixedLengthFrameDecoder(length), handler);
            }
        };
    }

    @Override
    public InetSocketAddress address() {
        return (InetSocketAddress) serverChannel.localAddress();
    }

    @Override
    public long answered() {
        return reply.frames();
    }

    @Override
    public void close() {
        var _ = serverChannel.close().syncUninterruptibly();
        var _ = loops.shutdownGracefully(NO_TIME, NO_TIME, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
