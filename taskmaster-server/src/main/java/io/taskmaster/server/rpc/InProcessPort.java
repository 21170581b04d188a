package io.taskmaster.server.rpc;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.AnonymousInProcessSocketAddress;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.MetadataUtils;
import io.taskmaster.server.access.Caller;
import java.io.IOException;
import java.util.List;

/**
 * The services without a network, for other faces of the same node that speak the contract: the same limits, refusals and admission
 * as on the gRPC port, and messages are handed over as they are. Thread-safe.
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

    /** Calls on behalf of somebody, who is recorded as the caller; whoever opens this has seen to it that they may. */
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
