package io.taskmaster.server.rpc;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.AnonymousInProcessSocketAddress;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.SocketAddress;

/**
 * The service without a network, for other faces of the same node that speak the contract: the same limits, refusals and admission
 * as on the gRPC port, and messages are handed over as they are. Thread-safe.
 */
final class InProcessPort implements AutoCloseable {

    private final Server server;
    private final ManagedChannel channel;

    private InProcessPort(Server server, ManagedChannel channel) {
        this.server = server;
        this.channel = channel;
    }

    static InProcessPort open(ServerServiceDefinition service) throws IOException {
        var address = new AnonymousInProcessSocketAddress();
        Server server = InProcessServerBuilder.forAddress(address)
                .directExecutor()
                .intercept(new ForwardedPeer())
                .addService(service)
                .build()
                .start();
        return new InProcessPort(
                server,
                InProcessChannelBuilder.forAddress(address).directExecutor().build());
    }

    /** Calls on behalf of somebody, whose address is recorded as that of the caller. */
    Channel channelFor(SocketAddress caller) {
        var headers = new Metadata();
        headers.put(ForwardedPeer.KEY, Peers.format(caller));
        return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** Ends every call at once. Idempotent. */
    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
    }
}
