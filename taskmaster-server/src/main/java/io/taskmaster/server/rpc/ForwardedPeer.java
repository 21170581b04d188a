package io.taskmaster.server.rpc;

import io.grpc.Attributes;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Takes the address of the caller from a header. Only for calls that never came over a network, since a header says what its writer
 * wants it to say. Stateless.
 */
final class ForwardedPeer implements ServerInterceptor {

    static final Metadata.Key<String> KEY =
            Metadata.Key.of("taskmaster-forwarded-peer", Metadata.ASCII_STRING_MARSHALLER);

    @Override
    public <Q, P> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
        @Nullable String peer = headers.get(KEY);
        Attributes attributes = Peers.named(call.getAttributes(), peer == null ? "" : peer);
        return next.startCall(
                new SimpleForwardingServerCall<Q, P>(call) {
                    @Override
                    public Attributes getAttributes() {
                        return attributes;
                    }
                },
                headers);
    }
}
