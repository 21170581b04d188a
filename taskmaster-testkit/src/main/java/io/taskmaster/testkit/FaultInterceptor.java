package io.taskmaster.testkit;

import com.google.protobuf.Message;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.time.Deadlines;
import io.taskmaster.wire.ErrorMapper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An interceptor between the port and the service that injects the faults of {@link CallFaults} into unary calls.
 * Thread-safe.
 */
final class FaultInterceptor implements ServerInterceptor {

    private static final Duration RETRY_DELAY = Duration.ofMillis(10);

    private final CallFaults faults;

    FaultInterceptor(CallFaults faults) {
        this.faults = faults;
    }

    @Override
    public <Q, P> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
        Answer<Q, P> answer = new Answer<>(call);
        return new Asked<>(next.startCall(answer, headers), answer);
    }

    private static void refuse(ServerCall<?, ?> call, ErrorCode code, String reason) {
        boolean isRetriable = code.advice() == ErrorCode.Advice.RETRY_LATER;
        StatusRuntimeException refusal = ErrorMapper.toGrpc(
                TaskMasterException.withoutStackTrace(code, reason, isRetriable ? RETRY_DELAY : null, null));
        Metadata trailers = refusal.getTrailers();
        if (!call.isCancelled()) {
            call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
        }
    }

    /** The path of a request to the service. */
    private final class Asked<Q> extends SimpleForwardingServerCallListener<Q> {

        private final Answer<Q, ?> answer;
        private boolean refused;

        Asked(ServerCall.Listener<Q> service, Answer<Q, ?> answer) {
            super(service);
            this.answer = answer;
        }

        @Override
        public void onMessage(Q request) {
            Optional<CallFault> fault = faults.next((Message) request);
            if (fault.isPresent() && fault.get() instanceof CallFault.Refuse(ErrorCode code)) {
                refused = true;
                refuse(answer.client(), code, "rejected by the test");
            } else {
                answer.fault = fault.orElse(null);
                super.onMessage(request);
            }
        }

        @Override
        public void onHalfClose() {
            if (!refused) {
                super.onHalfClose();
            }
        }
    }

    /** The path of a reply to the client. Used by one thread after the other. */
    private static final class Answer<Q, P> extends SimpleForwardingServerCall<Q, P> {

        /** The fault of this call: written before the service receives the request, read by the thread that replies. */
        private volatile @Nullable CallFault fault;

        private @Nullable Metadata headers;
        private @Nullable P message;

        Answer(ServerCall<Q, P> client) {
            super(client);
        }

        ServerCall<Q, P> client() {
            return delegate();
        }

        @Override
        public void sendHeaders(Metadata sent) {
            // Headers and message of a call with a fault are buffered until its reply is sent: a lost reply must not
            // send any part of itself.
            if (fault == null) {
                super.sendHeaders(sent);
            } else {
                headers = sent;
            }
        }

        @Override
        public void sendMessage(P sent) {
            if (fault == null) {
                super.sendMessage(sent);
            } else {
                message = sent;
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            switch (fault) {
                case CallFault.LoseReply _ ->
                    refuse(delegate(), ErrorCode.OUTCOME_UNKNOWN, "reply dropped by the test");
                case CallFault.DelayReply(Duration span) ->
                    CompletableFuture.delayedExecutor(Deadlines.nanos(span), TimeUnit.NANOSECONDS)
                            .execute(() -> send(status, trailers));
                case CallFault.HoldReply(HeldReplies held) -> held.hold(() -> send(status, trailers));
                case CallFault.Refuse _ -> throw new IllegalStateException("a rejected call gets no reply");
                case null -> super.close(status, trailers);
            }
        }

        private void send(Status status, Metadata trailers) {
            if (delegate().isCancelled()) {
                return;
            }
            if (headers != null) {
                super.sendHeaders(headers);
            }
            if (message != null) {
                super.sendMessage(message);
            }
            super.close(status, trailers);
        }
    }
}
