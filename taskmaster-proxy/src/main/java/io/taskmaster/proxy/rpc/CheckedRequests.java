package io.taskmaster.proxy.rpc;

import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.wire.ErrorMapper;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wrapper of a service that refuses malformed requests as the fault of their caller. gRPC alone takes bytes that are no
 * message for a defect of the service: it logs a stack trace for each and answers UNKNOWN, which means that the request
 * may have been carried out. The same goes for a call that takes one request and receives none or two.
 *
 * <p>The service behind the wrapper sees such a call end without a request, so that it releases whatever it keeps of
 * the call; its answer to that is replaced by the refusal. Thread-safe: stateless.
 */
final class CheckedRequests {

    private static final Logger LOG = LoggerFactory.getLogger(CheckedRequests.class);

    private CheckedRequests() {}

    /** Returns the service, with requests that are checked before anything else sees them. */
    static ServerServiceDefinition of(ServerServiceDefinition service) {
        List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
        service.getMethods().forEach(method -> methods.add(checked(method)));
        ServiceDescriptor.Builder descriptor = ServiceDescriptor.newBuilder(
                        service.getServiceDescriptor().getName())
                .setSchemaDescriptor(service.getServiceDescriptor().getSchemaDescriptor());
        methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
        ServerServiceDefinition.Builder checked = ServerServiceDefinition.builder(descriptor.build());
        methods.forEach(checked::addMethod);
        return checked.build();
    }

    private static <Q, P> ServerMethodDefinition<Received<Q>, P> checked(ServerMethodDefinition<Q, P> method) {
        MethodDescriptor<Q, P> plain = method.getMethodDescriptor();
        ServerCallHandler<Q, P> handler = method.getServerCallHandler();
        return ServerMethodDefinition.create(
                plain.toBuilder(new Parsing<>(plain.getRequestMarshaller()), plain.getResponseMarshaller())
                        .setType(streaming(plain.getType()))
                        .build(),
                (call, headers) -> start(call, plain, headers, handler));
    }

    /**
     * Returns the type with streamed requests. gRPC counts the requests of a method that takes one, and resets the
     * stream without a reason.
     */
    private static MethodType streaming(MethodType type) {
        return switch (type) {
            case UNARY -> MethodType.CLIENT_STREAMING;
            case SERVER_STREAMING -> MethodType.BIDI_STREAMING;
            case CLIENT_STREAMING, BIDI_STREAMING, UNKNOWN -> type;
        };
    }

    private static <Q, P> ServerCall.Listener<Received<Q>> start(
            ServerCall<Received<Q>, P> call,
            MethodDescriptor<Q, P> method,
            Metadata headers,
            ServerCallHandler<Q, P> handler) {
        var checked = new Call<>(call, method);
        return new Listener<>(checked, handler.startCall(checked, headers));
    }

    /**
     * A request as received. Immutable.
     *
     * @param message null if the bytes were no message
     */
    private record Received<Q>(@Nullable Q message) {}

    /** A marshaller that never throws for bytes that are no message. Immutable. */
    private record Parsing<Q>(Marshaller<Q> marshaller) implements Marshaller<Received<Q>> {

        @Override
        public InputStream stream(Received<Q> received) {
            throw new UnsupportedOperationException("requests are received");
        }

        @Override
        public Received<Q> parse(InputStream bytes) {
            try {
                return new Received<>(marshaller.parse(bytes));
            } catch (StatusRuntimeException malformed) {
                LOG.debug("malformed request: {}", malformed.getMessage());
                return new Received<>(null);
            }
        }
    }

    /** A call whose answer is replaced once its request is found to be at fault. As thread-safe as the call. */
    private static final class Call<Q, P> extends ForwardingServerCall<Q, P> {

        private final ServerCall<Received<Q>, P> call;
        private final MethodDescriptor<Q, P> method;
        private volatile @Nullable TaskMasterException fault;

        Call(ServerCall<Received<Q>, P> call, MethodDescriptor<Q, P> method) {
            this.call = call;
            this.method = method;
        }

        @Override
        @SuppressWarnings("unchecked") // the type of replies is the same, and only parsing depends on that of requests
        protected ServerCall<Q, P> delegate() {
            return (ServerCall<Q, P>) (ServerCall<?, P>) call;
        }

        @Override
        public MethodDescriptor<Q, P> getMethodDescriptor() {
            return method;
        }

        boolean isAtFault() {
            return fault != null;
        }

        void atFault(String found) {
            String expected = method.getType().clientSendsOneMessage()
                    ? "one message of " + method.getFullMethodName()
                    : "messages of " + method.getFullMethodName();
            fault = TaskMasterException.withoutStackTrace(
                    ErrorCode.INVALID_FIELD, "request: " + found + " (expected: " + expected + ")", null, null);
        }

        @Override
        public void sendHeaders(Metadata headers) {
            if (!isAtFault()) {
                super.sendHeaders(headers);
            }
        }

        @Override
        public void sendMessage(P message) {
            if (!isAtFault()) {
                super.sendMessage(message);
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            TaskMasterException known = fault;
            if (known == null) {
                super.close(status, trailers);
            } else {
                StatusRuntimeException refusal = ErrorMapper.toGrpc(known);
                Metadata details = refusal.getTrailers();
                super.close(refusal.getStatus(), details == null ? new Metadata() : details);
            }
        }
    }

    /**
     * A listener that passes on valid requests. Single-threaded: called by gRPC for one call, one event after the
     * other.
     */
    private static final class Listener<Q> extends ServerCall.Listener<Received<Q>> {

        private final Call<Q, ?> call;
        private final ServerCall.Listener<Q> service;

        /** The request of a call that takes one, held until it is certain that there is no second. */
        private @Nullable Q only;

        Listener(Call<Q, ?> call, ServerCall.Listener<Q> service) {
            this.call = call;
            this.service = service;
        }

        @Override
        public void onMessage(Received<Q> received) {
            Q message = received.message();
            if (call.isAtFault()) {
                return;
            }
            if (message == null) {
                call.atFault("malformed");
            } else if (!isUnary()) {
                service.onMessage(message);
            } else if (only == null) {
                only = message;
            } else {
                call.atFault("several messages");
            }
            if (call.isAtFault() && !isUnary()) {
                // The client may go on sending for as long as it likes.
                service.onHalfClose();
            }
        }

        @Override
        public void onHalfClose() {
            Q message = only;
            only = null;
            if (!isUnary()) {
                if (!call.isAtFault()) {
                    service.onHalfClose();
                }
                return;
            }
            if (message == null && !call.isAtFault()) {
                call.atFault("none");
            }
            // A service that gets no message closes the call at the half-close below, and Call.close() sends the fault
            // instead.
            if (message != null && !call.isAtFault()) {
                service.onMessage(message);
            }
            service.onHalfClose();
        }

        private boolean isUnary() {
            return call.getMethodDescriptor().getType().clientSendsOneMessage();
        }

        @Override
        public void onCancel() {
            service.onCancel();
        }

        @Override
        public void onComplete() {
            service.onComplete();
        }

        @Override
        public void onReady() {
            service.onReady();
        }
    }
}
