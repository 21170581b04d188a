package io.taskmaster.proxy.rpc.access;

import com.google.common.collect.ImmutableList;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.access.Access;
import io.taskmaster.proxy.access.Identity;
import io.taskmaster.proxy.access.PresentedCredentials;
import io.taskmaster.wire.ErrorMapper;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Access check of the gRPC port: admits a call, or refuses it before anything but its headers is read. An admitted call
 * carries the name of its caller, and is audited if its method is. Thread-safe.
 */
public final class AuthInterceptor implements ServerInterceptor {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Certificate[] NO_CERTIFICATES = {};

    private final Access access;

    public AuthInterceptor(Access access) {
        this.access = access;
    }

    @Override
    public <Q, P> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
        Attributes connection = call.getAttributes();
        Identity caller;
        try {
            caller = access.admit(
                    call.getMethodDescriptor().getFullMethodName(),
                    PresentedCredentials.of(tokens(headers), certificates(connection)),
                    connection.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
        } catch (TaskMasterException e) {
            StatusRuntimeException refusal = ErrorMapper.toGrpc(e);
            Metadata trailers = refusal.getTrailers();
            call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
            return new ServerCall.Listener<>() {};
        }
        return AuditingCall.start(CallerKeys.named(call, caller.name()), headers, next, caller.name());
    }

    private static List<String> tokens(Metadata headers) {
        Iterable<String> all = headers.getAll(AUTHORIZATION);
        return all == null ? List.of() : ImmutableList.copyOf(all);
    }

    private static Certificate[] certificates(Attributes connection) {
        @Nullable SSLSession session = connection.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        if (session == null) {
            return NO_CERTIFICATES;
        }
        try {
            return session.getPeerCertificates();
        } catch (SSLPeerUnverifiedException none) {
            return NO_CERTIFICATES;
        }
    }
}
