package io.taskmaster.bench.load;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One of the outstanding operations of a lane: an operation ends, the next begins. Single-threaded: owned by the event loop of its
 * connection.
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

    /** The operation succeeded, for so many tasks. */
    public void succeeded(int tasks) {
        lane.succeeded(this, tasks);
    }

    /** The operation failed, for a reason out of a small set: reasons are counted one by one. */
    public void failed(String reason) {
        lane.failed(this, reason);
    }

    /** The operation failed in the RPC layer. */
    public void failed(Failure failure) {
        failed(failure.reason());
    }

    /** There is nothing left to do, here or for any other slot: the load ends. */
    public void ranDry() {
        lane.ranDry();
    }

    /** Observes a unary call: the reply is handed on once the call has ended well; anything else fails the operation. */
    public <T> StreamObserver<T> then(Consumer<T> onReply) {
        return then(onReply, this::failed);
    }

    /** As {@link #then(Consumer)}, with another answer to a failed call. */
    public <T> StreamObserver<T> then(Consumer<T> onReply, Consumer<Failure> onError) {
        return new Unary<>(lane, onReply, onError);
    }

    /** Waits for what is no call of ours: one of the two is told how it ended, on the thread that owns this slot, and never at once. */
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
