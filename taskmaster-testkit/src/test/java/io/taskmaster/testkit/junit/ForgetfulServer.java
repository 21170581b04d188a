package io.taskmaster.testkit.junit;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;

/** A server with a bug: it acknowledges every dequeue without applying it. Stateless. */
final class ForgetfulServer implements ServerInterceptor {

    @Override
    public <Q, P> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {

            private boolean answered;

            @Override
            public void onMessage(Q message) {
                if (message instanceof UpdateRequest update && update.getDequeueCount() > 0) {
                    answered = true;
                    UpdateReply done = UpdateReply.newBuilder()
                            .setSuccess(true)
                            .addDequeueStatus(io.taskmaster.v1.Status.OK)
                            .build();
                    call.sendHeaders(new Metadata());
                    call.sendMessage(reply(done));
                    call.close(Status.OK, new Metadata());
                } else {
                    super.onMessage(message);
                }
            }

            @SuppressWarnings("unchecked") // The method whose request is an update has this reply.
            private P reply(UpdateReply done) {
                return (P) done;
            }

            @Override
            public void onHalfClose() {
                if (!answered) {
                    super.onHalfClose();
                }
            }
        };
    }
}
