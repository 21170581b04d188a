package io.taskmaster.bench.load;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One of the operations that a lane has in flight: when one ends, the next starts. Single-threaded: owned by the event
 * loop of its connection.
 */
public final class Slot {

    private final Lane lane;
    private long startedNanos;

    Slot(Lane lane) {
        this.lane = lane;
    }

    void begin(long nowNanos, Session session) {
        startedNanos = nowNanos;
        session.begin(this);
    }

    long startedNanos() {
        return startedNanos;
    }

    /** Reports that the operation succeeded, for this number of tasks. */
    public void succeeded(int tasks) {
        lane.succeeded(this, tasks);
    }

    /** Reports that the operation failed. The reason comes from a small set, since each has a counter. */
    public void failed(String reason) {
        lane.failed(this, reason);
    }

    /** Reports that the operation failed in the RPC layer. */
    public void failed(Failure failure) {
        failed(failure.reason());
    }

    /** Reports that no work is left for this slot or any other: the load ends. */
    public void onExhausted() {
        lane.onExhausted();
    }

    /**
     * Returns an observer of a unary call. It passes the reply on once the call has completed with status OK; any other
     * end fails the operation.
     */
    public <T> StreamObserver<T> observer(Consumer<T> onReply) {
        return observer(onReply, this::failed);
    }

    /** Returns an observer as {@link #observer(Consumer)} does, with another reaction to a failed call. */
    public <T> StreamObserver<T> observer(Consumer<T> onReply, Consumer<Failure> onError) {
        return new Unary<>(lane, onReply, onError);
    }

    /**
     * Waits for an outcome that is not a call of this connection. Exactly one of the two consumers runs, on the thread
     * that owns this slot, and never inside this method.
     */
    public <T> void when(CompletableFuture<T> outcome, Consumer<T> onValue, Consumer<Throwable> onError) {
        var _ = outcome.whenCompleteAsync(
                (value, failure) -> {
                    if (failure == null) {
                        onValue.accept(value);
                    } else {
                        onError.accept(failure);
                    }
                },
                lane::later);
    }

    private static final class Unary<T> implements StreamObserver<T> {

        private final Lane lane;
        private final Consumer<T> onReply;
        private final Consumer<Failure> onError;
        private @Nullable T reply;

        Unary(Lane lane, Consumer<T> onReply, Consumer<Failure> onError) {
            this.lane = lane;
            this.onReply = onReply;
            this.onError = onError;
        }

        @Override
        public void onNext(T value) {
            reply = value;
        }

        @Override
        public void onError(Throwable cause) {
            lane.onLoop(() -> onError.accept(Failure.of(cause)));
        }

        @Override
        public void onCompleted() {
            T received = reply;
            if (received == null) {
                onError(Status.INTERNAL.asException());
            } else {
                lane.onLoop(() -> onReply.accept(received));
            }
        }
    }
}
