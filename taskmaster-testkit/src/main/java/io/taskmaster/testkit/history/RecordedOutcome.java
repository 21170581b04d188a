package io.taskmaster.testkit.history;

import com.google.protobuf.Message;
import io.grpc.Metadata;
import io.grpc.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.wire.ErrorMapper;
import io.taskmaster.wire.Progress;
import org.jspecify.annotations.Nullable;

/** The outcome of a call as its client saw it. Immutable. */
public sealed interface RecordedOutcome {

    /** The outcome of a call that is still in flight, or whose client ended before it received one. */
    Unknown IN_FLIGHT = new Unknown("", "");

    /** A reply. */
    record Replied(Message reply) implements RecordedOutcome {}

    /**
     * An error after which the call had no effect, and never will: it was refused, or never sent.
     *
     * @param code the name of the gRPC status
     * @param reason the reason of its {@code ErrorInfo}; empty if it has none
     */
    record Failed(String code, String reason) implements RecordedOutcome {}

    /**
     * An error after which the call may have had its effect, or not, or may yet have it.
     *
     * @param code the name of the gRPC status; empty if there was none
     * @param reason the reason of its {@code ErrorInfo}; empty if it has none
     */
    record Unknown(String code, String reason) implements RecordedOutcome {}

    /**
     * Returns the outcome of a call that was sent and ended with a gRPC error. It counts as failed only if the server
     * itself, or a gRPC layer, reports that it was not done.
     *
     * @param trailers the trailers of the status; null if there were none
     */
    static RecordedOutcome ofError(Status status, @Nullable Metadata trailers) {
        String reason = ErrorMapper.decode(status, trailers)
                .map(error -> error.code().name())
                .orElse("");
        ErrorCode code = ErrorMapper.fromGrpc(status, trailers, Progress.SENT).code();
        return of(code, status.getCode().name(), reason);
    }

    /** Returns the outcome of one operation of a batch that ended with an error. */
    static RecordedOutcome ofError(io.taskmaster.v1.Error error) {
        return of(
                ErrorMapper.fromResult(error).code(),
                Status.fromCodeValue(error.getCode()).getCode().name(),
                error.getReason());
    }

    private static RecordedOutcome of(ErrorCode code, String status, String reason) {
        return switch (code.advice()) {
            case CALLER_FAULT, NOT_ALLOWED, NOT_SERVED, RETRY_LATER -> new Failed(status, reason);
            case OUTCOME_UNKNOWN, SERVER_FAULT -> new Unknown(status, reason);
        };
    }
}
