package io.taskmaster.proxy.rpc.access;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.taskmaster.proxy.access.Audit;
import io.taskmaster.proxy.access.Rule;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.QueueSelector;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.wire.ActionHeader;
import io.taskmaster.wire.ErrorMapper;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * A call that is written to the audit log when it ends, always or if it made a change that has to be recorded. Calls of
 * methods that are never recorded pass through unwrapped. Thread-safe: gRPC calls a listener on one thread at a time,
 * and a call is recorded once.
 */
final class AuditingCall<Q, P> extends SimpleForwardingServerCall<Q, P> {

    /** The bytes of a name or pattern that are recorded at most. */
    private static final int MAX_NAME_BYTES = 200;

    /** The names that are recorded at most. */
    private static final int MAX_NAMES = AuditedChanges.MAX_NAMES;

    /** The outcome of an update that failed because its tasks were not in the state that it named. */
    private static final String REFUSED = "REFUSED";

    /** The action of an update whose caller names none. */
    private static final String FORCED = "forced";

    private final String caller;
    private final boolean always;

    /** The action that the caller names in a header; empty if it names none. */
    private final String action;

    private final AtomicBoolean recorded = new AtomicBoolean();
    private volatile String target = "";
    private volatile boolean refused;

    private AuditingCall(ServerCall<Q, P> call, String caller, boolean always, String action) {
        super(call);
        this.caller = caller;
        this.always = always;
        this.action = action;
    }

    /** Begins a call on behalf of a caller. */
    static <Q, P> ServerCall.Listener<Q> start(
            ServerCall<Q, P> call, Metadata headers, ServerCallHandler<Q, P> next, String caller) {
        Rule.Recorded recordedActions =
                Rule.of(call.getMethodDescriptor().getFullMethodName()).recorded();
        if (recordedActions == Rule.Recorded.NONE) {
            return next.startCall(call, headers);
        }
        AuditingCall<Q, P> auditingCall = new AuditingCall<>(
                call,
                caller,
                recordedActions == Rule.Recorded.ALL,
                Objects.requireNonNullElse(headers.get(ActionHeader.KEY), ""));
        return new SimpleForwardingServerCallListener<>(next.startCall(auditingCall, headers)) {
            @Override
            public void onMessage(Q request) {
                auditingCall.target = target(request, !auditingCall.action.isEmpty());
                super.onMessage(request);
            }

            @Override
            public void onCancel() {
                // The service does not close a call that was cancelled.
                auditingCall.record("CANCELLED");
                super.onCancel();
            }
        };
    }

    @Override
    public void sendMessage(P reply) {
        refused = reply instanceof UpdateReply update && !update.getSuccess();
        super.sendMessage(reply);
    }

    @Override
    public void close(Status status, Metadata trailers) {
        record(ErrorMapper.decode(status, trailers)
                .map(error -> error.code().name())
                .orElse(refused ? REFUSED : status.getCode().name()));
        super.close(status, trailers);
    }

    /** Records the call once: it may be cancelled after it was closed, before its end is on the wire. */
    private void record(String outcome) {
        if ((!always && target.isEmpty()) || !recorded.compareAndSet(false, true)) {
            return;
        }
        String endpoint = getMethodDescriptor().getFullMethodName();
        String address = PeerAddresses.nameOf(getAttributes());
        if (always) {
            Audit.done(endpoint, caller, address, target, outcome);
        } else {
            Audit.updated(
                    endpoint,
                    caller,
                    address,
                    action.isEmpty() ? FORCED : name(ByteString.copyFromUtf8(action)),
                    target,
                    outcome);
        }
    }

    /**
     * Returns the target of a request in one bounded line; empty if it need not be recorded.
     *
     * @param isAction whether all changes are recorded, and not only those without a lease
     */
    static String target(Object request, boolean isAction) {
        return switch (request) {
            case DeleteRequest delete -> target(delete.getQueues());
            case ConfigureRequest configure ->
                "group=" + name(configure.getGroup()) + " queue=" + name(configure.getQueue()) + " "
                        + TextFormat.printer().emittingSingleLine(true).printToString(configure.getOptions());
            default ->
                (isAction ? AuditedChanges.all(request) : AuditedChanges.forced(request))
                        .map(AuditingCall::target)
                        .orElse("");
        };
    }

    private static String target(AuditedChanges auditedChanges) {
        return "groups=" + first(auditedChanges.groups()) + " queues=" + first(auditedChanges.queues()) + " releases="
                + auditedChanges.releases() + " dequeues=" + auditedChanges.dequeues() + " enqueues="
                + auditedChanges.enqueues();
    }

    private static String target(QueueSelector queues) {
        String group = queues.getAllGroups() ? "all groups" : "group=" + name(queues.getGroup());
        ByteString pattern = queues.getNameReBytes();
        return group
                + (queues.getNamesCount() == 0 ? "" : " queues=" + names(queues.getNamesList()))
                + (pattern.isEmpty() ? "" : " pattern=" + name(pattern))
                + (queues.getWithoutDeadLetters() ? " without dead letters" : "");
    }

    private static String names(Collection<ByteString> all) {
        int more = all.size() - MAX_NAMES;
        return joined(all) + (more > 0 ? " and " + more + " more" : "");
    }

    private static String first(Collection<ByteString> names) {
        return joined(names) + (names.size() > MAX_NAMES ? " and more" : "");
    }

    private static String joined(Collection<ByteString> names) {
        return names.stream().limit(MAX_NAMES).map(AuditingCall::name).collect(Collectors.joining(","));
    }

    /** Returns a name in single quotes, with escapes for all that is not printable ASCII. */
    private static String name(ByteString name) {
        boolean complete = name.size() <= MAX_NAME_BYTES;
        return "'" + TextFormat.escapeBytes(complete ? name : name.substring(0, MAX_NAME_BYTES))
                + (complete ? "'" : "…'");
    }
}
