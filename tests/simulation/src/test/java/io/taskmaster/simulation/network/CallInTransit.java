package io.taskmaster.simulation.network;

import com.google.protobuf.Message;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.simulation.world.World;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.wire.ErrorMapper;
import io.taskmaster.wire.Progress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of a client, with everything that can happen to it in transit: the request is lost, late or duplicated, its
 * reply is lost, the connection breaks, or the client gives up. The client receives exactly one outcome.
 * Single-threaded: owned by the simulation.
 */
final class CallInTransit<Q extends Message, P extends Message> {

    private final World world;
    private final Network network;
    private final Host host;
    private final MethodDescriptor<Q, P> method;
    private final Q request;
    private final Consumer<RecordedOutcome> result;
    private boolean over;

    private boolean twice;

    CallInTransit(
            World world,
            Network network,
            Host host,
            MethodDescriptor<Q, P> method,
            Q request,
            Consumer<RecordedOutcome> result) {
        this.world = world;
        this.network = network;
        this.host = host;
        this.method = method;
        this.request = request;
        this.result = result;
    }

    /** Sends the request, and possibly a duplicate if the request is repeatable. */
    void send(boolean repeatable, long deadlineMicros) {
        Arrival first = new Arrival();
        if (world.chance(network.faults().loseRequest())) {
            world.log(() -> "        is lost on its way");
            scheduleBreak();
        } else {
            world.in(network.latency(), first::arrive);
            if (repeatable && world.chance(network.faults().duplicate())) {
                twice = true;
                world.in(network.latency() * 3, new Arrival()::arrive);
            }
        }
        world.in(deadlineMicros, () -> {
            if (!over) {
                complete(new RecordedOutcome.Unknown("DEADLINE_EXCEEDED", ""));
                // Most clients cancel the call when they give up; the others vanish, and the host never notices.
                if (world.chance(.7)) {
                    world.in(network.latency(), first::cancel);
                }
            }
        });
    }

    private void scheduleBreak() {
        if (world.chance(.5)) {
            world.in(world.logUniform(500, 50_000), () -> complete(new RecordedOutcome.Unknown("UNAVAILABLE", "")));
        }
    }

    private void complete(RecordedOutcome recordedOutcome) {
        if (!over) {
            over = true;
            result.accept(twice ? ofOneOfTwo(recordedOutcome) : recordedOutcome);
        }
    }

    /**
     * Returns the outcome of a request that was duplicated. Refusals are not remembered by request id: where one copy
     * is refused, the other may be applied. So a refusal becomes an unknown outcome.
     */
    private static RecordedOutcome ofOneOfTwo(RecordedOutcome recordedOutcome) {
        return switch (recordedOutcome) {
            case RecordedOutcome.Failed failed -> new RecordedOutcome.Unknown(failed.code(), failed.reason());
            case RecordedOutcome.Replied replied
            when replied.reply() instanceof UpdateReply update && !update.getSuccess() ->
                new RecordedOutcome.Unknown("OK", "REFUSED_ONCE");
            default -> recordedOutcome;
        };
    }

    private void completeWith(Status status, Metadata trailers, @Nullable P reply) {
        if (status.isOk() && reply != null) {
            complete(new RecordedOutcome.Replied(reply));
            return;
        }
        TaskMasterException error = ErrorMapper.fromGrpc(status, trailers, Progress.REFUSED);
        if (error.code() == ErrorCode.INTERNAL) {
            throw new Violation(error + " for " + request);
        }
        complete(RecordedOutcome.ofError(status, trailers));
    }

    /** The request as the host sees it. */
    private final class Arrival extends ServerCall<Q, P> {

        private ServerCall.@Nullable Listener<Q> listener;
        private @Nullable P reply;
        private boolean closed;
        private boolean cancelled;

        void arrive() {
            if (!host.isListening()) {
                world.in(network.latency(), () -> complete(new RecordedOutcome.Failed("UNAVAILABLE", "")));
                return;
            }
            host.connected(this::disconnected);
            host.process().in(0, () -> {
                if (!host.isListening()) {
                    world.in(network.latency(), () -> complete(new RecordedOutcome.Failed("UNAVAILABLE", "")));
                    return;
                }
                ServerCall.Listener<Q> begun = host.embeddedService().start(this);
                listener = begun;
                if (cancelled) {
                    begun.onCancel();
                    return;
                }
                begun.onMessage(request);
                begun.onHalfClose();
            });
        }

        private void disconnected() {
            if (!closed) {
                scheduleBreak();
            }
        }

        /** Notifies the host that the client no longer waits. */
        void cancel() {
            host.process().in(0, () -> {
                ServerCall.Listener<Q> begun = listener;
                if (!closed && !cancelled) {
                    cancelled = true;
                    if (begun != null) {
                        begun.onCancel();
                    }
                }
            });
        }

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
            if (closed) {
                throw new Violation("closed twice: " + request);
            }
            closed = true;
            ServerCall.Listener<Q> begun = listener;
            boolean lost = world.chance(network.faults().loseReply());
            if (lost) {
                world.log(() -> "        the reply is lost");
                scheduleBreak();
            } else {
                P message = reply;
                world.in(network.latency(), () -> completeWith(status, trailers, message));
            }
            host.process().in(network.latency(), () -> {
                // The service may close the call while it is being started, before its listener is known here.
                ServerCall.Listener<Q> open = begun == null ? listener : begun;
                if (open != null) {
                    if (lost) {
                        open.onCancel();
                    } else {
                        open.onComplete();
                    }
                }
            });
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
