package io.taskmaster.testkit;

import com.google.protobuf.Message;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.HistoryBuffer;
import io.taskmaster.testkit.history.Outcome;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Around all else at the port: records what every client asks, over gRPC and over HTTP, and what it is told. A call begins a little later
 * here than for its client, and ends a little earlier; what happens to it happens in between. Thread-safe.
 */
final class RecordingInterceptor implements ServerInterceptor {

    private final TestClock clock;
    private volatile HistoryBuffer calls = new HistoryBuffer();

    /**
     * @param clock of the server, so that what it says of times can be held against those of calls
     */
    RecordingInterceptor(TestClock clock) {
        this.clock = clock;
    }

    History history() {
        return calls.history();
    }

    /** Begins anew. What is in flight ends in the history in which it began. */
    void forget() {
        calls = new HistoryBuffer();
    }

    @Override
    public <Q, P> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
        Answer<Q, P> answer = new Answer<>(call);
        return new Asked<>(next.startCall(answer, headers), answer);
    }

    /** The way of a request to the service. */
    private static final class Asked<Q> extends SimpleForwardingServerCallListener<Q> {

        private final RecordingInterceptor.Answer<Q, ?> answer;

        Asked(ServerCall.Listener<Q> service, RecordingInterceptor.Answer<Q, ?> answer) {
            super(service);
            this.answer = answer;
        }

        @Override
        public void onMessage(Q request) {
            answer.invoked((Message) request);
            super.onMessage(request);
        }

        @Override
        public void onCancel() {
            answer.completed(new Outcome.Unknown(Status.Code.CANCELLED.name(), ""));
            super.onCancel();
        }
    }

    /** The way of an answer to the client. */
    private final class Answer<Q, P> extends SimpleForwardingServerCall<Q, P> {

        private final HistoryBuffer history = calls;
        private final AtomicBoolean completed = new AtomicBoolean(true);
        private long number;

        Answer(ServerCall<Q, P> client) {
            super(client);
        }

        void invoked(Message request) {
            String client = String.valueOf(getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
            number = history.invoked(client, clock.micros(), request);
            completed.set(false);
        }

        void completed(Outcome outcome) {
            if (completed.compareAndSet(false, true)) {
                history.completed(number, clock.micros(), outcome);
            }
        }

        @Override
        public void sendMessage(P reply) {
            completed(new Outcome.Replied((Message) reply));
            super.sendMessage(reply);
        }

        @Override
        public void close(Status status, Metadata trailers) {
            completed(Outcome.ofError(status, trailers));
            super.close(status, trailers);
        }
    }
}
