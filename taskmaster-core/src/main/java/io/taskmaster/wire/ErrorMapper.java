package io.taskmaster.wire;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The mapping of errors to gRPC and back. On the wire an error is a status plus a {@code google.rpc.Status} in the
 * trailers, with an {@code ErrorInfo} (reason: the name of the {@link ErrorCode}; domain {@value #DOMAIN}; metadata:
 * the advice, for clients that do not know the reason, and what {@link OwnerMapper} adds) and, if there is a delay, a
 * {@code RetryInfo}. Message texts are for people and are never parsed. Stateless; neither direction captures a stack
 * trace.
 */
public final class ErrorMapper {

    /** The domain of TaskMaster's {@code ErrorInfo}. */
    public static final String DOMAIN = "taskmaster.io";

    /** The metadata key under which an {@code ErrorInfo} carries the {@link Advice}. */
    public static final String ADVICE = "advice";

    /**
     * The maximum length of a message. Trailers are limited to 8 KiB in total by default, and contain the message
     * twice.
     */
    private static final int MAX_MESSAGE_CHARS = 1000;

    /** The description that gRPC gives to a connection which the other side closes. */
    private static final String CLOSED = "Network closed for unknown reason";

    private static final Metadata.Key<com.google.rpc.Status> DETAILS = Metadata.Key.of(
            "grpc-status-details-bin", ProtoUtils.metadataMarshaller(com.google.rpc.Status.getDefaultInstance()));

    private static final Map<ErrorCode, Any> INFO = Arrays.stream(ErrorCode.values())
            .collect(Collectors.toUnmodifiableMap(Function.identity(), ErrorMapper::info));

    private static final Map<String, ErrorCode> BY_REASON =
            Arrays.stream(ErrorCode.values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    private static final Map<String, Advice> ADVICE_BY_NAME =
            Arrays.stream(Advice.values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    private ErrorMapper() {}

    /** Maps an error to the exception that closes a call of the server. Carries no stack trace. */
    public static StatusRuntimeException toGrpc(TaskMasterException error) {
        Status status = statusOf(error.code()).withDescription(shortened(error));
        com.google.rpc.Status.Builder details = com.google.rpc.Status.newBuilder()
                .setCode(status.getCode().value())
                .setMessage(shortened(error))
                .addDetails(
                        error.owner().map(OwnerMapper::toInfo).map(Any::pack).orElse(INFO.get(error.code())));
        error.retryAfter().ifPresent(delay -> details.addDetails(retryInfo(delay)));
        Metadata trailers = new Metadata();
        trailers.put(DETAILS, details.build());
        return new Refusal(status, trailers);
    }

    /** Returns the gRPC status of a code; the contract explains the choice. */
    static Status statusOf(ErrorCode code) {
        return switch (code) {
            case INVALID_FIELD,
                    PID_TOO_LONG,
                    PID_OUT_OF_RANGE,
                    QUEUE_NAME_EMPTY,
                    NAME_TOO_LONG,
                    TASK_TOO_LARGE,
                    HEADERS_TOO_LARGE,
                    UPDATE_TOO_LARGE,
                    REQUEST_ID_TOO_LONG,
                    BATCH_TOO_LARGE,
                    WAIT_IN_BATCH,
                    LEASE_TOO_LARGE,
                    DURATION_OUT_OF_RANGE,
                    BAD_PATTERN,
                    PATTERN_TOO_COSTLY,
                    EMPTY_SELECTOR,
                    BAD_PAGE_TOKEN,
                    BAD_JSON,
                    BODY_TOO_LARGE,
                    FOREIGN_ORIGIN -> Status.INVALID_ARGUMENT;
            case UNAUTHENTICATED -> Status.UNAUTHENTICATED;
            case PERMISSION_DENIED -> Status.PERMISSION_DENIED;
            case NOT_SERVED -> Status.UNIMPLEMENTED;
            case OVERLOADED, DEDUP_FULL, TOO_MANY_QUEUES, STORE_FULL -> Status.RESOURCE_EXHAUSTED;
            case PARTITION_OPENING, NOT_OWNER, SHUTTING_DOWN, READ_FAILED, NOT_CONNECTED -> Status.UNAVAILABLE;
            case OUTCOME_UNKNOWN, REPLY_TOO_LARGE -> Status.UNKNOWN;
            case DEADLINE_EXCEEDED -> Status.DEADLINE_EXCEEDED;
            case INTERNAL -> Status.INTERNAL;
        };
    }

    /**
     * Maps the failure of a call: from the server's details or, if a plain gRPC layer made the error, from its status
     * and the progress of the call. Carries no stack trace.
     *
     * @param trailers the trailers of the status; null or empty if there are none
     */
    public static TaskMasterException fromGrpc(Status status, @Nullable Metadata trailers, Progress progress) {
        return decode(status, trailers).orElseGet(() -> plain(status, progress));
    }

    private static TaskMasterException plain(Status status, Progress progress) {
        Optional<ConnectionProblem> problem = ConnectionProblem.of(status.getCause());
        return TaskMasterException.withoutStackTrace(
                problem.isPresent() && problem.get().nothingWasDone()
                        ? ErrorCode.NOT_CONNECTED
                        : plainCode(status.getCode(), progress),
                problem.map(p -> p.text(status.getCause())).orElseGet(() -> text(status)),
                null,
                status.getCause());
    }

    /**
     * Maps the failure of one operation of a batch. Carries no stack trace, and no delay: the contract has none there.
     */
    public static TaskMasterException fromResult(io.taskmaster.v1.Error error) {
        ErrorCode known = BY_REASON.get(error.getReason());
        return TaskMasterException.withoutStackTrace(
                known == null ? unnamedCode(Status.fromCodeValue(error.getCode())) : known,
                error.getMessage(),
                null,
                null);
    }

    /**
     * Maps a status whose reason belongs to a later version. No plain gRPC layer made it, so the contract defines the
     * meaning of its code.
     */
    private static ErrorCode unnamedCode(Status status) {
        return switch (status.getCode()) {
            case RESOURCE_EXHAUSTED, UNAVAILABLE -> ErrorCode.OVERLOADED;
            case Status.Code other -> plainCode(other, Progress.REFUSED);
        };
    }

    /**
     * Maps the server's details of an error; empty if a plain gRPC layer made it. Carries no stack trace.
     *
     * @param trailers the trailers of the status; null or empty if there are none
     */
    public static Optional<TaskMasterException> decode(Status status, @Nullable Metadata trailers) {
        if (trailers == null || !trailers.containsKey(DETAILS)) {
            return Optional.empty();
        }
        ErrorInfo info = null;
        Duration retryAfter = null;
        try {
            for (Any detail : trailers.get(DETAILS).getDetailsList()) {
                if (detail.is(ErrorInfo.class)) {
                    info = detail.unpack(ErrorInfo.class);
                } else if (detail.is(RetryInfo.class)) {
                    retryAfter =
                            TimeMapper.toDuration(detail.unpack(RetryInfo.class).getRetryDelay());
                }
            }
        } catch (InvalidProtocolBufferException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
        Duration delay = retryAfter;
        return Optional.ofNullable(info)
                .filter(i -> i.getDomain().equals(DOMAIN))
                .flatMap(i -> codeOf(i).map(code -> exception(code, i, text(status), delay)));
    }

    private static TaskMasterException exception(
            ErrorCode code, ErrorInfo info, String text, @Nullable Duration retryAfter) {
        return code == ErrorCode.NOT_OWNER
                ? TaskMasterException.notOwner(OwnerMapper.fromInfo(info), text, retryAfter)
                : TaskMasterException.withoutStackTrace(code, text, retryAfter, null);
    }

    /** Maps a reason. One of a later version becomes the plainest code with its advice. */
    private static Optional<ErrorCode> codeOf(ErrorInfo info) {
        ErrorCode known = BY_REASON.get(info.getReason());
        if (known != null) {
            return Optional.of(known);
        }
        return Optional.ofNullable(ADVICE_BY_NAME.get(info.getMetadataOrDefault(ADVICE, "")))
                .map(advice -> switch (advice) {
                    case CALLER_FAULT -> ErrorCode.INVALID_FIELD;
                    case NOT_ALLOWED -> ErrorCode.PERMISSION_DENIED;
                    case NOT_SERVED -> ErrorCode.NOT_SERVED;
                    case RETRY_LATER -> ErrorCode.OVERLOADED;
                    case OUTCOME_UNKNOWN -> ErrorCode.OUTCOME_UNKNOWN;
                    case SERVER_FAULT -> ErrorCode.INTERNAL;
                });
    }

    /**
     * Maps a status of a plain gRPC layer. In doubt, if the request may have left this process, it may have been done.
     */
    private static ErrorCode plainCode(Status.Code code, Progress progress) {
        return switch (code) {
            case UNAVAILABLE, CANCELLED ->
                progress == Progress.NOTHING_SENT ? ErrorCode.NOT_CONNECTED : ErrorCode.OUTCOME_UNKNOWN;
            case DEADLINE_EXCEEDED ->
                progress == Progress.NOTHING_SENT ? ErrorCode.NOT_CONNECTED : ErrorCode.DEADLINE_EXCEEDED;
            // gRPC reports a message over the limit of either side in this way.
            case RESOURCE_EXHAUSTED ->
                switch (progress) {
                    case NOTHING_SENT, REFUSED -> ErrorCode.UPDATE_TOO_LARGE;
                    case SENT -> ErrorCode.OUTCOME_UNKNOWN;
                    case REPLY_BEGUN -> ErrorCode.REPLY_TOO_LARGE;
                };
            case UNIMPLEMENTED -> ErrorCode.NOT_SERVED;
            case INVALID_ARGUMENT -> ErrorCode.INVALID_FIELD;
            case UNAUTHENTICATED -> ErrorCode.UNAUTHENTICATED;
            case PERMISSION_DENIED -> ErrorCode.PERMISSION_DENIED;
            case UNKNOWN, ABORTED -> ErrorCode.OUTCOME_UNKNOWN;
            // Neither TaskMaster nor gRPC itself reports these: a proxy in between does, or there is a defect.
            case OK, NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, OUT_OF_RANGE, INTERNAL, DATA_LOSS ->
                ErrorCode.INTERNAL;
        };
    }

    private static String text(Status status) {
        String description = status.getDescription();
        String text = description == null ? status.getCode().name() : description;
        Throwable cause = status.getCause();
        if (cause == null || cause.getMessage() == null) {
            return text.equals(CLOSED) ? text + " (a port that expects TLS closes plain connections)" : text;
        }
        return text + ": " + cause.getMessage();
    }

    private static String shortened(TaskMasterException error) {
        String message = error.getMessage();
        if (message == null) {
            return error.code().name();
        }
        return message.length() <= MAX_MESSAGE_CHARS ? message : message.substring(0, MAX_MESSAGE_CHARS) + " …";
    }

    private static Any info(ErrorCode code) {
        return Any.pack(infoOf(code).build());
    }

    static ErrorInfo.Builder infoOf(ErrorCode code) {
        return ErrorInfo.newBuilder()
                .setReason(code.name())
                .setDomain(DOMAIN)
                .putMetadata(ADVICE, code.advice().name());
    }

    private static Any retryInfo(Duration delay) {
        return Any.pack(
                RetryInfo.newBuilder().setRetryDelay(TimeMapper.toProto(delay)).build());
    }

    /** A status exception without the cost of a stack trace. */
    private static final class Refusal extends StatusRuntimeException {

        private static final long serialVersionUID = 1L;

        Refusal(Status status, Metadata trailers) {
            super(status, trailers);
        }

        // Not synchronized: it touches no state.
        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public Throwable fillInStackTrace() {
            return this;
        }
    }
}
