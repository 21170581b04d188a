package io.taskmaster.proxy.rpc;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.AnonymousInProcessSocketAddress;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.taskmaster.proxy.access.Caller;
import io.taskmaster.proxy.rpc.access.ForwardedCaller;
import java.io.IOException;
import java.util.List;

/**
 * The services without a network, for other endpoints of the same node: the same limits, refusals and admission control
 * as on the gRPC port. Messages are passed without encoding. Thread-safe.
 */
final class InProcessPort implements AutoCloseable {

    private final Server server;
    private final ManagedChannel channel;

    private InProcessPort(Server server, ManagedChannel channel) {
        this.server = server;
        this.channel = channel;
    }

    static InProcessPort open(List<ServerServiceDefinition> services) throws IOException {
        var address = new AnonymousInProcessSocketAddress();
        Server server = InProcessServerBuilder.forAddress(address)
                .directExecutor()
                .intercept(new ForwardedCaller())
                .addServices(services)
                .build()
                .start();
        return new InProcessPort(
                server,
                InProcessChannelBuilder.forAddress(address).directExecutor().build());
    }

    /** Returns a channel for calls on behalf of a caller, which is recorded. Its access has to be checked before. */
    Channel channelFor(Caller caller) {
        return ClientInterceptors.intercept(
                channel, MetadataUtils.newAttachHeadersInterceptor(ForwardedCaller.headers(caller)));
    }

    /** Ends every call at once. Idempotent. */
    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
    }
}
