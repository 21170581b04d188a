package io.taskmaster.proxy.rpc.call;

import com.google.protobuf.MessageLite;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.Timer;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.proxy.rpc.access.CallerKeys;
import io.taskmaster.proxy.rpc.access.PeerAddresses;
import io.taskmaster.proxy.rpc.mapping.ServiceClasses;
import io.taskmaster.wire.ErrorMapper;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way through the node, and the receiver of its answer. Listener callbacks come one after the other
 * on network threads; the answer comes once, from any thread.
 *
 * <p>Admission control counts the request until it was both answered and its stream has ended. After the answer alone,
 * clients that do not read would pile up replies without bound. The end of the stream alone comes early when a client
 * goes away while the engine still holds its request.
 *
 * <pre>{@code
 * state             | event               | next              | effect
 * -                 | half-close, refused | ANSWERED          | sends the refusal; nothing to release
 * -                 | half-close, fits    | ADMITTED          | calls the handler
 * -                 | stream ended        | ENDED             | no request came; nothing to release
 * ADMITTED          | answer or failure   | ADMITTED ANSWERED | sends it, unless cancelled
 * ADMITTED          | stream ended        | ADMITTED ENDED    | cancels the wait, if the client went away
 * ADMITTED ANSWERED | stream ended        | all three         | leaves admission control
 * ADMITTED ENDED    | answer or failure   | all three         | leaves admission control; nothing is sent
 * }</pre>
 *
 * <p>Thread-safe, in so far as gRPC and the node keep to this order of calls.
 */
public final class UnaryCall<Q extends MessageLite, P extends MessageLite> extends ServerCall.Listener<Q>
        implements ReplySink {

    private static final Logger LOG = LoggerFactory.getLogger(UnaryCall.class);

    private static final int ADMITTED = 1;
    private static final int ANSWERED = 2;
    private static final int ENDED = 4;

    @SuppressWarnings("rawtypes") // a field updater cannot be had for a generic class otherwise
    private static final AtomicIntegerFieldUpdater<UnaryCall> STATE =
            AtomicIntegerFieldUpdater.newUpdater(UnaryCall.class, "state");

    private final ServerCall<Q, P> call;
    private final UnaryMethod<Q, P> unaryMethod;
    private final Timer.Sample began;

    private @Nullable Q request;
    private boolean bulk;
    private String caller = "";
    private InFlightLimiter.@Nullable Held held;
    private long requestBytes;
    private long replyBytes;

    /** Ends the wait of a long poll; null if the request does not wait. */
    private volatile @Nullable Runnable cancel;

    private volatile int state;

    UnaryCall(ServerCall<Q, P> call, UnaryMethod<Q, P> unaryMethod) {
        this.call = call;
        this.unaryMethod = unaryMethod;
        this.began = unaryMethod.meter().begin();
    }

    /** The address of the client. */
    public String peer() {
        return PeerAddresses.nameOf(call.getAttributes());
    }

    /** Returns the caller of a message that comes by this call, as admission control counts it. */
    public String callerOf(MessageLite message) {
        return CallerKeys.of(call.getAttributes(), message);
    }

    @Override
    public void onMessage(Q message) {
        request = message;
    }

    @Override
    public void onHalfClose() {
        Q message = request;
        request = null;
        if (message == null) {
            fail(TaskMasterException.withoutStackTrace(
                    ErrorCode.INVALID_FIELD, "request: none (expected: one message)", null, null));
            return;
        }
        try {
            long size = message.getSerializedSize();
            bulk = ServiceClasses.isBulk(message);
            caller = callerOf(message);
            held = unaryMethod.inFlightLimiter().enter(size, bulk, caller);
            requestBytes = size;
            mark(ADMITTED);
            unaryMethod.handler().handle(message, this);
        } catch (TaskMasterException e) {
            fail(e);
        } catch (RuntimeException e) {
            fail(defect(e));
        }
    }

    @Override
    public void onComplete() {
        mark(ENDED);
    }

    @Override
    public void onCancel() {
        mark(ENDED);
        Runnable end = cancel;
        if (end != null) {
            end.run();
        }
    }

    @Override
    public void waits(Runnable end) {
        cancel = end;
        // Set before the check: a cancellation in between runs the same action, which may run any number of times.
        if (isCancelled()) {
            end.run();
        }
    }

    @Override
    public void reply(Reply reply) {
        if (isEmptyLease(reply) && unaryMethod.inFlightLimiter().isDraining()) {
            fail(endOfLeases());
        } else if (unaryMethod.offloadExecutor().isLarge(reply)) {
            unaryMethod.offloadExecutor().run(() -> mapAndAnswer(reply), this::fail);
        } else {
            mapAndAnswer(reply);
        }
    }

    private void mapAndAnswer(Reply reply) {
        P message;
        try {
            message = unaryMethod.replyMapper().apply(reply);
        } catch (RuntimeException e) {
            fail(defect(e));
            return;
        }
        answer(message);
    }

    /** Sends the answer. */
    public void answer(P message) {
        if (answered()) {
            return;
        }
        InFlightLimiter.Held admitted = held;
        if (admitted != null) {
            // The reply counts until the stream has ended, so a client that does not read keeps it counted.
            replyBytes = message.getSerializedSize();
            unaryMethod.inFlightLimiter().reply(admitted, replyBytes);
        }
        // After a cancellation no client listens any more, and gRPC drops what is sent.
        if (!call.isCancelled()) {
            call.sendHeaders(new Metadata());
            call.sendMessage(message);
            call.close(Status.OK, new Metadata());
        }
        ended(Status.OK);
    }

    @Override
    public void fail(TaskMasterException error) {
        if (error.code() == ErrorCode.INTERNAL) {
            LOG.error("{} failed", call.getMethodDescriptor().getFullMethodName(), error);
        }
        StatusRuntimeException refusal = ErrorMapper.toGrpc(error);
        Metadata trailers = refusal.getTrailers();
        closeOnce(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
    }

    public static boolean isEmptyLease(Reply reply) {
        return reply instanceof Reply.Leased leased && leased.tasks().isEmpty();
    }

    /**
     * Returns the failure of a lease that was cut short because the server drains: an empty reply would mean that there
     * are no tasks, which may not have been checked.
     */
    public static TaskMasterException endOfLeases() {
        return new TaskMasterException(ErrorCode.SHUTTING_DOWN, "the server is shutting down and leases no more tasks");
    }

    @Override
    public boolean isBulk() {
        return bulk;
    }

    @Override
    public String caller() {
        return caller;
    }

    @Override
    public boolean isCancelled() {
        return call.isCancelled() || unaryMethod.inFlightLimiter().isDraining();
    }

    private void closeOnce(Status status, Metadata trailers) {
        if (answered()) {
            return;
        }
        if (!call.isCancelled()) {
            call.close(status, trailers);
        }
        ended(status);
    }

    private void ended(Status status) {
        unaryMethod.meter().end(began, status.getCode(), cancel != null);
        mark(ANSWERED);
    }

    private boolean answered() {
        if ((state & ANSWERED) != 0) {
            LOG.warn("{} was answered twice", call.getMethodDescriptor().getFullMethodName());
            return true;
        }
        return false;
    }

    /**
     * Sets a flag. The thread that completes the state leaves admission control; the update is atomic, so exactly one
     * does.
     */
    private void mark(int flag) {
        int before = STATE.getAndUpdate(this, flags -> flags | flag);
        int complete = ADMITTED | ANSWERED | ENDED;
        if (before != complete && (before | flag) == complete) {
            // The sizes are plain fields: each was written before its thread's atomic update, which publishes it.
            unaryMethod.inFlightLimiter().release(Objects.requireNonNull(held), requestBytes + replyBytes);
        }
    }

    public static TaskMasterException defect(Throwable e) {
        return new TaskMasterException(ErrorCode.INTERNAL, "internal error: see the log of the server", null, e);
    }
}
