package io.taskmaster.testkit.history;

import com.google.protobuf.Message;
import io.grpc.Metadata;
import io.grpc.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.wire.ErrorMapper;
import io.taskmaster.wire.Progress;
import org.jspecify.annotations.Nullable;

/** What a client was told about a call. Immutable. */
public sealed interface Outcome {

    /** Nothing, since it was not there any more to be told, or has not been told yet. */
    Unknown IN_FLIGHT = new Unknown("", "");

    /** The call was answered. */
    record Replied(Message reply) implements Outcome {}

    /**
     * The call had no effect, and never will: it was refused, or never sent.
     *
     * @param code the name of the gRPC status
     * @param reason the reason of its {@code ErrorInfo}; empty if it has none
     */
    record Failed(String code, String reason) implements Outcome {}

    /**
     * The call may have had its effect, or not, or may yet have it.
     *
     * @param code the name of the gRPC status; empty if there was none
     * @param reason the reason of its {@code ErrorInfo}; empty if it has none
     */
    record Unknown(String code, String reason) implements Outcome {}

    /**
     * What a gRPC error says of a call that was sent. Only what the server itself, or a gRPC layer, says was not done counts as
     * failed.
     *
     * @param trailers what came with the status; null if nothing did
     */
    static Outcome ofError(Status status, @Nullable Metadata trailers) {
        String reason = ErrorMapper.said(status, trailers)
                .map(error -> error.code().name())
                .orElse("");
        ErrorCode code = ErrorMapper.fromGrpc(status, trailers, Progress.SENT).code();
        return of(code, status.getCode().name(), reason);
    }

    /** What the error of one operation of a batch says. */
    static Outcome ofError(io.taskmaster.v1.Error error) {
        return of(
                ErrorMapper.fromResult(error).code(),
                Status.fromCodeValue(error.getCode()).getCode().name(),
                error.getReason());
    }

    private static Outcome of(ErrorCode code, String status, String reason) {
        return switch (code.advice()) {
            case CALLER_FAULT, NOT_ALLOWED, NOT_SERVED, RETRY_LATER -> new Failed(status, reason);
            case OUTCOME_UNKNOWN, SERVER_FAULT -> new Unknown(status, reason);
        };
    }
}
