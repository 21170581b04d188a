package io.taskmaster.server.rpc;

import com.google.protobuf.MessageLite;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.taskmaster.server.engine.Reply;
import java.util.function.Function;

/**
 * One method of the service: what it does with a request, and how its reply looks on the wire. Immutable.
 *
 * <p>Handlers are written against gRPC's own call rather than generated stubs: one object per request instead of five, replies may
 * come from any thread, and the end of a call is seen, which {@link Admission} needs.
 */
record Endpoint<Q extends MessageLite, P extends MessageLite>(
        Handler<Q, P> handler, Function<Reply, P> replyMapper, Admission admission, Aside aside, CallMeter meter)
        implements ServerCallHandler<Q, P> {

    /** Validates, maps and submits; runs on a network thread and never blocks. */
    interface Handler<Q, P extends MessageLite> {

        /** Throws what is wrong with the request, or hands it on together with the call, which takes the answer. */
        void handle(Q request, UnaryCall<?, P> call);
    }

    /** One whose handler answers with the message itself. */
    static <Q extends MessageLite, P extends MessageLite> Endpoint<Q, P> answering(
            Handler<Q, P> handler, Admission admission, Aside aside, CallMeter meter) {
        return new Endpoint<>(
                handler,
                reply -> {
                    throw new IllegalArgumentException("reply: %s (expected: a message)".formatted(reply));
                },
                admission,
                aside,
                meter);
    }

    @Override
    public ServerCall.Listener<Q> startCall(ServerCall<Q, P> call, Metadata headers) {
        // Two, not one: a client that sends more than the one request of a unary call is told so.
        call.request(2);
        return new UnaryCall<>(call, this);
    }
}
