package io.taskmaster.testkit.virtual;

import static java.util.Objects.requireNonNull;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.taskmaster.proxy.rpc.EmbeddedService;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A call of the service, with both of its ends. Single-threaded: owned by the test.
 *
 * <p>The request and the reply each take a draw of {@code networkDelayNanos}. A cancellation takes no time, as if the
 * connection broke.
 *
 * <pre>{@code
 * state     | event                  | next state | effect
 * ----------+------------------------+------------+---------------------------------------------------
 * new       | caller half-closes     | requested  | the arrival is scheduled
 * new       | caller cancels         | over       | caller: CANCELLED; nothing is sent
 * requested | the request arrives    | served     | the service starts the call
 * requested | caller cancels         | over       | caller: CANCELLED; the arrival is ignored
 * served    | the service closes it  | replied    | the delivery is scheduled
 * served    | caller cancels         | over       | caller: CANCELLED; the service is notified
 * replied   | the reply is delivered | over       | caller: message and status
 * replied   | caller cancels         | over       | caller: CANCELLED; the delivery is ignored
 * }</pre>
 */
final class VirtualCall<Q, P> extends ClientCall<Q, P> {

    private final VirtualTime time;
    private final EmbeddedService embeddedService;
    private final LongSupplier networkDelayNanos;
    private final MethodDescriptor<Q, P> method;
    private final Answer answer = new Answer();

    private @Nullable Listener<P> caller;
    private @Nullable Q request;
    private ServerCall.@Nullable Listener<Q> served;

    /** True once the caller knows how the call ended. */
    private boolean ended;

    VirtualCall(
            VirtualTime time,
            EmbeddedService embeddedService,
            LongSupplier networkDelayNanos,
            MethodDescriptor<Q, P> method) {
        this.time = time;
        this.embeddedService = embeddedService;
        this.networkDelayNanos = networkDelayNanos;
        this.method = method;
    }

    @Override
    public void start(Listener<P> listener, Metadata headers) {
        caller = listener;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void sendMessage(Q message) {
        request = message;
    }

    @Override
    public void halfClose() {
        time.schedule(this::arrive, networkDelayNanos.getAsLong());
    }

    /** Cancels the call. The server is notified at once, as when a connection breaks. */
    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        if (!ended) {
            end(Status.CANCELLED.withDescription(message).withCause(cause), new Metadata());
            // The service learns of it in an event of its own, so that it is not entered from within the caller.
            time.soon(answer::disconnect);
        }
    }

    private void arrive() {
        if (!ended) {
            ServerCall.Listener<Q> begun = embeddedService.start(answer);
            served = begun;
            begun.onMessage(requireNonNull(request, "request"));
            begun.onHalfClose();
        }
    }

    private void end(Status status, Metadata trailers) {
        ended = true;
        requireNonNull(caller, "caller").onClose(status, trailers);
    }

    /** The server's end of the call. */
    private final class Answer extends ServerCall<Q, P> {

        private @Nullable P reply;
        private boolean closed;
        private boolean cancelled;

        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(P message) {
            reply = message;
        }

        @Override
        public void close(Status status, Metadata trailers) {
            closed = true;
            // The service may close the call before start() has returned its listener, and from within a call to the
            // listener. So the end comes in an event of its own.
            time.soon(() -> requireNonNull(served, "served").onComplete());
            time.schedule(() -> deliver(status, trailers), networkDelayNanos.getAsLong());
        }

        private void deliver(Status status, Metadata trailers) {
            if (ended) {
                return;
            }
            P message = reply;
            if (message != null) {
                requireNonNull(caller, "caller").onMessage(message);
            }
            end(status, trailers);
        }

        void disconnect() {
            ServerCall.Listener<Q> begun = served;
            if (begun != null && !closed) {
                cancelled = true;
                begun.onCancel();
            }
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }

        @Override
        public MethodDescriptor<Q, P> getMethodDescriptor() {
            return method;
        }
    }
}
