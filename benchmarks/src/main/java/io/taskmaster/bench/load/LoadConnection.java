package io.taskmaster.bench.load;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.TaskMasterGrpc.TaskMasterStub;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/**
 * A connection to the server, bound to one event loop: callbacks run on the thread of that loop, without an executor in
 * between. Thread-safe.
 */
public final class LoadConnection {

    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private final EventLoop loop;
    private final ManagedChannel channel;
    private final TaskMasterStub stub;

    LoadConnection(InetSocketAddress address, IoEventLoopGroup singleLoop) {
        this.loop = singleLoop.next();
        this.channel = NettyChannelBuilder.forAddress(address)
                .eventLoopGroup(singleLoop)
                .channelType(NioSocketChannel.class)
                .directExecutor()
                .usePlaintext()
                .disableRetry()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .build();
        this.stub = TaskMasterGrpc.newStub(channel);
    }

    /** The stub of this connection. */
    public TaskMasterStub stub() {
        return stub;
    }

    /** The channel of this connection, for services other than TaskMaster's. */
    public ManagedChannel channel() {
        return channel;
    }

    /** Returns a future that completes once the connection is established and fails with the first failed attempt. */
    CompletableFuture<Void> established() {
        CompletableFuture<Void> established = new CompletableFuture<>();
        watch(established);
        return established;
    }

    private void watch(CompletableFuture<Void> established) {
        ConnectivityState state = channel.getState(true);
        switch (state) {
            case READY -> established.complete(null);
            case TRANSIENT_FAILURE, SHUTDOWN ->
                established.completeExceptionally(
                        new IllegalStateException("cannot connect to " + channel.authority()));
            case IDLE, CONNECTING -> channel.notifyWhenStateChanged(state, () -> watch(established));
        }
    }

    EventLoop loop() {
        return loop;
    }

    void close() {
        channel.shutdownNow();
    }
}
