package io.taskmaster.proxy.rpc.access;

import io.grpc.Attributes;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.taskmaster.proxy.access.Caller;
import io.taskmaster.wire.ActionHeader;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Interceptor that takes the caller's name and address from headers. Only for in-process calls: over a network, a
 * client could claim any name. Thread-safe: stateless.
 */
public final class ForwardedCaller implements ServerInterceptor {

    private static final Metadata.Key<String> PEER =
            Metadata.Key.of("taskmaster-forwarded-peer", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> NAME =
            Metadata.Key.of("taskmaster-forwarded-name", Metadata.ASCII_STRING_MARSHALLER);

    /** Returns the headers that carry this caller. */
    public static Metadata headers(Caller caller) {
        var headers = new Metadata();
        headers.put(PEER, Caller.format(caller.address()));
        headers.put(NAME, caller.identity().name());
        caller.action().ifPresent(action -> headers.put(ActionHeader.KEY, action));
        return headers;
    }

    @Override
    public <Q, P> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
        @Nullable String peer = headers.get(PEER);
        Attributes attributes = PeerAddresses.named(call.getAttributes(), peer == null ? "" : peer);
        String name = Objects.requireNonNullElse(headers.get(NAME), "");
        ServerCall<Q, P> forwarded = new SimpleForwardingServerCall<>(call) {
            @Override
            public Attributes getAttributes() {
                return attributes;
            }
        };
        return AuditingCall.start(CallerKeys.named(forwarded, name), headers, next, name);
    }
}
