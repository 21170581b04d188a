package io.taskmaster.testkit.history;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.taskmaster.v1.TaskMasterGrpc;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An interceptor that records every call of the TaskMaster service on a channel. The outcome is recorded before the
 * caller receives it.
 *
 * <p>Install it nearest to the wire: retries of an interceptor or client above it are then recorded as calls of their
 * own. Thread-safe: it may be shared by any number of threads and channels.
 */
public final class HistoryRecorder implements ClientInterceptor {

    private final String client;
    private final HistorySink sink;
    private final InstantSource clock;

    public HistoryRecorder(String client, HistorySink sink) {
        this(client, sink, InstantSource.system());
    }

    /** Creates a recorder with a given clock, for tests. */
    public HistoryRecorder(String client, HistorySink sink, InstantSource clock) {
        this.client = client;
        this.sink = sink;
        this.clock = clock;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        ClientCall<Q, A> call = next.newCall(method, options);
        return TaskMasterGrpc.SERVICE_NAME.equals(method.getServiceName()) ? new Recorded<>(call) : call;
    }

    private long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }

    /** A call that is recorded when its request is sent, and once when it is completed. */
    private final class Recorded<Q, A> extends SimpleForwardingClientCall<Q, A> {

        private final AtomicLong number = new AtomicLong();
        private final AtomicBoolean reported = new AtomicBoolean();

        Recorded(ClientCall<Q, A> call) {
            super(call);
        }

        @Override
        public void start(Listener<A> listener, Metadata headers) {
            super.start(new Listening<>(listener, this), headers);
        }

        @Override
        public void sendMessage(Q message) {
            if (message instanceof Message request) {
                number.set(sink.invoked(client, micros(), request));
            }
            super.sendMessage(message);
        }

        void completed(RecordedOutcome recordedOutcome) {
            // A number of 0 means that the call ended before a message was sent.
            if (number.get() != 0 && reported.compareAndSet(false, true)) {
                sink.completed(number.get(), micros(), recordedOutcome);
            }
        }
    }

    /** The listener of a recorded call, which completes it before the caller's listener is called. */
    private static final class Listening<A> extends SimpleForwardingClientCallListener<A> {

        private final HistoryRecorder.Recorded<?, A> call;
        private final AtomicReference<@Nullable Message> reply = new AtomicReference<>();

        Listening(ClientCall.Listener<A> listener, HistoryRecorder.Recorded<?, A> call) {
            super(listener);
            this.call = call;
        }

        @Override
        public void onMessage(A message) {
            if (message instanceof Message known) {
                reply.set(known);
            }
            super.onMessage(message);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            Message known = reply.get();
            // A reply counts even if the call breaks off afterwards: what it reports was done.
            call.completed(
                    known == null ? RecordedOutcome.ofError(status, trailers) : new RecordedOutcome.Replied(known));
            super.onClose(status, trailers);
        }
    }
}
