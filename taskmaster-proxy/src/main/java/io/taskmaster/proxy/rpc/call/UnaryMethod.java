package io.taskmaster.proxy.rpc.call;

import com.google.protobuf.MessageLite;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.taskmaster.command.Reply;
import java.util.function.Function;

/**
 * One method of a service: its handler, the mapping of its reply, and its admission control. Immutable.
 *
 * <p>Handlers are written against gRPC's own call rather than generated stubs: one object per request instead of five,
 * replies may come from any thread, and the end of a call is visible, which {@link InFlightLimiter} needs.
 */
public record UnaryMethod<Q extends MessageLite, P extends MessageLite>(
        Handler<Q, P> handler,
        Function<Reply, P> replyMapper,
        InFlightLimiter inFlightLimiter,
        OffloadExecutor offloadExecutor,
        CallMeter meter)
        implements ServerCallHandler<Q, P> {

    /** A handler that validates, maps and submits a request. Runs on a network thread and never blocks. */
    public interface Handler<Q, P extends MessageLite> {

        /** Submits the request together with the call, which takes the answer. Throws if the request is invalid. */
        void handle(Q request, UnaryCall<?, P> call);
    }

    /** Returns an endpoint whose handler answers with the message itself. */
    public static <Q extends MessageLite, P extends MessageLite> UnaryMethod<Q, P> answering(
            Handler<Q, P> handler, InFlightLimiter inFlightLimiter, OffloadExecutor offloadExecutor, CallMeter meter) {
        return new UnaryMethod<>(
                handler,
                reply -> {
                    throw new IllegalArgumentException("reply: %s (expected: a message)".formatted(reply));
                },
                inFlightLimiter,
                offloadExecutor,
                meter);
    }

    @Override
    public ServerCall.Listener<Q> startCall(ServerCall<Q, P> call, Metadata headers) {
        // Two, not one: a client that sends more than the one request of a unary call is refused with that reason.
        call.request(2);
        return new UnaryCall<>(call, this);
    }
}
