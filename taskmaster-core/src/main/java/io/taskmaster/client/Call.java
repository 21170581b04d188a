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
 * A request of the caller, and the future of its reply. It makes attempts, one after the other, as the retry rule and
 * the retry budget allow, within one deadline.
 *
 * <pre>{@code
 * unsettled | result of the attempt   | consequence
 * any       | reply                   | complete; of an unsettled call, as its operation settles it
 * no        | error, nothing was done | another attempt if the rule allows it, else the error
 * any       | error, outcome unknown  | unsettled; another attempt if the call can be repeated, else the error
 * yes       | error, nothing was done | another attempt, else OUTCOME_UNKNOWN, or the error if it is a read
 * }</pre>
 *
 * <p>Once an attempt has an unknown outcome, only a reply can settle the call: a later error that nothing was done
 * refers to the last attempt alone.
 *
 * <p>Cancelling the future cancels the attempt in flight. Thread-safe.
 */
final class Call<Q, P, R> extends CompletableFuture<R> {

    private final Connection connection;
    private final Operation<Q, P, R> operation;
    private final Q request;
    private final long startNanos;
    private final long deadlineNanos;
    private int retries;
    private boolean unsettled;
    private volatile @Nullable ClientCall<Q, P> inFlight;

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
     * @param timeoutNanos the time for all attempts together, in nanoseconds
     */
    static <Q, P, R> Call<Q, P, R> start(
            Connection connection, Operation<Q, P, R> operation, Q request, long timeoutNanos) {
        Call<Q, P, R> call = new Call<>(connection, operation, request, timeoutNanos);
        connection.retryBudget().called();
        call.attempt();
        return call;
    }

    /** Makes one attempt. Called by the thread that starts the call, later by the timer. */
    void attempt() {
        if (isDone()) {
            return;
        }
        if (connection.isClosed()) {
            completeExceptionally(afterEarlierAttempts(new TaskMasterException(
                    ErrorCode.NOT_CONNECTED, "client: closed (expected: open); the request was not sent")));
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
        // Two messages are requested so that gRPC detects a second one, which breaks the contract.
        call.request(2);
        call.sendMessage(request);
        call.halfClose();
        // The order excludes a race with cancel(), which sets the state first and reads the attempt after that.
        inFlight = call;
        if (isCancelled()) {
            abort(call);
        }
    }

    /** Returns the time for the next attempt. If another attempt may follow, it leaves time for that. */
    private long attemptNanos() {
        long remainingNanos = remainingNanos();
        return operation.repeatability().allowed()
                ? Math.min(remainingNanos, connection.retryRule().attemptNanos())
                : remainingNanos;
    }

    /**
     * Returns the time until the deadline or, once a repetition could be a second update, until the server may have
     * forgotten its request id.
     */
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
        ClientCall<Q, P> call = inFlight;
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
            // gRPC would swallow the exception, and the future would never complete.
            completeExceptionally(TaskMasterException.withoutStackTrace(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "reply: unreadable (expected: a reply of the contract)",
                    null,
                    unreadable));
            return;
        }
        complete(mapped);
    }

    private void fail(TaskMasterException error) {
        // This never becomes false again: no later error can tell the effect of this attempt.
        unsettled |= error.code().advice() == Advice.OUTCOME_UNKNOWN;
        OptionalLong delayNanos = connection.isClosed()
                ? OptionalLong.empty()
                : connection
                        .retryRule()
                        .delayNanos(error, operation.repeatability().allowed(), retries, remainingNanos());
        // The budget comes last, so that it gives a token only for an attempt that is then made.
        if (delayNanos.isEmpty()
                || isDone()
                || !connection
                        .retryBudget()
                        .allows(error.code(), connection.timer().nanoTime())) {
            completeExceptionally(afterEarlierAttempts(error));
            return;
        }
        retries++;
        if (error.code() == ErrorCode.NOT_CONNECTED) {
            connection.reconnect();
        }
        connection.retry(this, delayNanos.getAsLong());
    }

    /** Returns the error of the last attempt, unless it would deny the possible effect of an earlier attempt. */
    private TaskMasterException afterEarlierAttempts(TaskMasterException error) {
        return unsettled
                        && operation.repeatability() != Repeatability.READ
                        && error.code().advice() != Advice.OUTCOME_UNKNOWN
                ? Repetition.unknown("the last attempt failed: " + error.getMessage(), error)
                : error;
    }

    /** The listener to one attempt. */
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
                        ErrorCode.OUTCOME_UNKNOWN, "reply: none (expected: one reply)", null, null));
            } else {
                succeed(message);
            }
        }
    }
}
