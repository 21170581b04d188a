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
import io.taskmaster.testkit.history.RecordedOutcome;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An interceptor around all others at the port that records the calls of every client, over gRPC and over HTTP, with
 * their outcomes.
 *
 * <p>A recorded call begins a little later than for its client, and ends a little earlier. Its effect lies in between.
 * Thread-safe.
 */
final class RecordingInterceptor implements ServerInterceptor {

    private final TestClock clock;
    private volatile HistoryBuffer calls = new HistoryBuffer();

    /** @param clock the server's, so that times in replies can be compared with those of calls */
    RecordingInterceptor(TestClock clock) {
        this.clock = clock;
    }

    History history() {
        return calls.history();
    }

    /** Begins a new history. Calls in flight complete in the history in which they began. */
    void forget() {
        calls = new HistoryBuffer();
    }

    @Override
    public <Q, P> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next) {
        Answer<Q, P> answer = new Answer<>(call);
        return new Asked<>(next.startCall(answer, headers), answer);
    }

    /** The path of a request to the service. */
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
            answer.completed(new RecordedOutcome.Unknown(Status.Code.CANCELLED.name(), ""));
            super.onCancel();
        }
    }

    /** The path of a reply to the client. */
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

        void completed(RecordedOutcome recordedOutcome) {
            if (completed.compareAndSet(false, true)) {
                history.completed(number, clock.micros(), recordedOutcome);
            }
        }

        @Override
        public void sendMessage(P reply) {
            completed(new RecordedOutcome.Replied((Message) reply));
            super.sendMessage(reply);
        }

        @Override
        public void close(Status status, Metadata trailers) {
            completed(RecordedOutcome.ofError(status, trailers));
            super.close(status, trailers);
        }
    }
}
