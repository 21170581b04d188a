package io.taskmaster.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.time.Deadlines;
import io.taskmaster.wire.ErrorMapper;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request of the user, and the future of its reply: as many attempts as the retry rule and budget allow, one after the other,
 * within one deadline. Once it is not known of an attempt whether it was done, only a reply can settle that: an error that says
 * that nothing was done then speaks of the last attempt alone, and the caller is told that the outcome is unknown. Cancelling the
 * future cancels the attempt that is under way. Thread-safe.
 */
final class Call<Q, P, R> extends CompletableFuture<R> {

    private final Connection connection;
    private final Operation<Q, P, R> operation;
    private final Q request;
    private final long startNanos;
    private final long deadlineNanos;
    private int retries;
    private boolean unsettled;
    private volatile @Nullable ClientCall<Q, P> underWay;

    private Call(Connection connection, Operation<Q, P, R> operation, Q request, long timeoutNanos) {
        this.connection = connection;
        this.operation = operation;
        this.request = request;
        this.startNanos = connection.timer().nanoTime();
        this.deadlineNanos = Deadlines.afterNanos(startNanos, timeoutNanos);
    }

    /**
     * Sends a request.
     *
     * @param timeoutNanos for all attempts together
     */
    static <Q, P, R> Call<Q, P, R> start(
            Connection connection, Operation<Q, P, R> operation, Q request, long timeoutNanos) {
        Call<Q, P, R> call = new Call<>(connection, operation, request, timeoutNanos);
        connection.retryBudget().called();
        call.attempt();
        return call;
    }

    /** Sends the request, once. Whoever started the call does it first, later the timer. */
    void attempt() {
        if (isDone()) {
            return;
        }
        if (connection.isClosed()) {
            completeExceptionally(truth(new TaskMasterException(
                    ErrorCode.NOT_CONNECTED, "client: closed (expected: open); nothing was sent")));
            return;
        }
        SentTracer tracer = new SentTracer();
        ClientCall<Q, P> call = connection
                .channel()
                .newCall(
                        operation.method(),
                        CallOptions.DEFAULT
                                .withDeadlineAfter(attemptNanos(), TimeUnit.NANOSECONDS)
                                .withStreamTracerFactory(tracer));
        call.start(new Attempt(tracer), new Metadata());
        // Two, so that a second message, which breaks the contract, is noticed by gRPC.
        call.request(2);
        call.sendMessage(request);
        call.halfClose();
        underWay = call;
        if (isCancelled()) {
            abort(call);
        }
    }

    /** An attempt that is not the only possible one leaves time for another. */
    private long attemptNanos() {
        long remainingNanos = remainingNanos();
        return operation.repeatability().allowed()
                ? Math.min(remainingNanos, connection.retryRule().attemptNanos())
                : remainingNanos;
    }

    /** Until the deadline or, once a repetition could be a second update, until the server may have forgotten its id. */
    private long remainingNanos() {
        long now = connection.timer().nanoTime();
        long remaining = deadlineNanos - now;
        return unsettled && operation.repeatability() == Repeatability.BY_REQUEST_ID
                ? Math.min(
                        remaining,
                        Deadlines.afterNanos(startNanos, connection.retryRule().windowNanos()) - now)
                : remaining;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        ClientCall<Q, P> call = underWay;
        if (cancelled && call != null) {
            abort(call);
        }
        return cancelled;
    }

    private static void abort(ClientCall<?, ?> call) {
        call.cancel("the caller cancelled", null);
    }

    private void succeed(P reply) {
        R mapped;
        try {
            mapped = operation.reply().apply(reply);
            if (unsettled) {
                mapped = operation.settled().apply(mapped);
            }
        } catch (TaskMasterException unknown) {
            completeExceptionally(unknown);
            return;
        } catch (RuntimeException unreadable) {
            // gRPC would swallow it, and nobody would ever complete this future.
            completeExceptionally(TaskMasterException.withoutStackTrace(
                    ErrorCode.OUTCOME_UNKNOWN, "reply: unreadable (expected: one of the contract)", null, unreadable));
            return;
        }
        complete(mapped);
    }

    private void fail(TaskMasterException error) {
        unsettled |= error.code().advice() == Advice.OUTCOME_UNKNOWN;
        OptionalLong delayNanos = connection.isClosed()
                ? OptionalLong.empty()
                : connection
                        .retryRule()
                        .delayNanos(error, operation.repeatability().allowed(), retries, remainingNanos());
        if (delayNanos.isEmpty()
                || isDone()
                || !connection
                        .retryBudget()
                        .allows(error.code(), connection.timer().nanoTime())) {
            completeExceptionally(truth(error));
            return;
        }
        retries++;
        if (error.code() == ErrorCode.NOT_CONNECTED) {
            connection.reconnect();
        }
        connection.retry(this, delayNanos.getAsLong());
    }

    /** The last attempt's error, unless it would deny what an earlier attempt may have done. */
    private TaskMasterException truth(TaskMasterException error) {
        return unsettled
                        && operation.repeatability() != Repeatability.READ
                        && error.code().advice() != Advice.OUTCOME_UNKNOWN
                ? Repetition.unknown("the last attempt failed: " + error.getMessage(), error)
                : error;
    }

    /** Receives what comes back from one attempt. */
    private final class Attempt extends ClientCall.Listener<P> {

        private final SentTracer tracer;
        private @Nullable P reply;

        Attempt(SentTracer tracer) {
            this.tracer = tracer;
        }

        @Override
        public void onMessage(P message) {
            reply = message;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            P message = reply;
            if (!status.isOk()) {
                fail(ErrorMapper.fromGrpc(status, trailers, tracer.progress()));
            } else if (message == null) {
                fail(TaskMasterException.withoutStackTrace(
                        ErrorCode.OUTCOME_UNKNOWN, "reply: none (expected: one)", null, null));
            } else {
                succeed(message);
            }
        }
    }
}
