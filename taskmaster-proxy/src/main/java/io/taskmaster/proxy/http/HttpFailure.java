package io.taskmaster.proxy.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.grpc.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.wire.ErrorMapper;
import java.time.Duration;
import java.util.Optional;

/**
 * An error over HTTP: a status that corresponds to the gRPC status, and a body with the details of the gRPC error.
 * Immutable.
 */
record HttpFailure(int status, Status.Code code, ErrorCode reason, String message, Optional<Duration> retryAfter) {

    private static final int MAX_MESSAGE_CHARS = 1000;

    static HttpFailure of(TaskMasterException error) {
        Status.Code code = ErrorMapper.toGrpc(error).getStatus().getCode();
        return new HttpFailure(httpStatus(code), code, error.code(), text(error), error.retryAfter());
    }

    /** Returns the same failure with another HTTP status, for those that gRPC does not have. */
    HttpFailure withStatus(int other) {
        return new HttpFailure(other, code, reason, message, retryAfter);
    }

    /** Returns the failure of a request that does not get as far as the service. */
    static HttpFailure ofTransport(int status, String message) {
        ErrorCode reason = switch (status) {
            case 404, 405, 501 -> ErrorCode.NOT_SERVED;
            case 413 -> ErrorCode.BODY_TOO_LARGE;
            case 503 -> ErrorCode.OVERLOADED;
            default -> status >= 500 ? ErrorCode.INTERNAL : ErrorCode.INVALID_FIELD;
        };
        return of(TaskMasterException.withoutStackTrace(reason, message, null, null))
                .withStatus(status);
    }

    /**
     * Returns the HTTP status. An unknown outcome is 500 as well: clients that repeat after 502, 503 or 504 must not do
     * so then.
     */
    private static int httpStatus(Status.Code code) {
        return switch (code) {
            case OK -> 200;
            case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
            case UNAUTHENTICATED -> 401;
            case PERMISSION_DENIED -> 403;
            case NOT_FOUND -> 404;
            case ALREADY_EXISTS, ABORTED -> 409;
            case RESOURCE_EXHAUSTED -> 429;
            case UNIMPLEMENTED -> 501;
            case UNAVAILABLE -> 503;
            case DEADLINE_EXCEEDED -> 504;
            case CANCELLED, UNKNOWN, INTERNAL, DATA_LOSS -> 500;
        };
    }

    /** Returns the body. */
    byte[] json() {
        var error = new JsonObject();
        error.addProperty("code", code.name());
        error.addProperty("reason", reason.name());
        error.addProperty("message", message);
        error.addProperty("advice", reason.advice().name());
        var body = new JsonObject();
        body.add("error", error);
        return (body + "\n").getBytes(UTF_8);
    }

    /** Returns the value of {@code Retry-After}, rounded up to whole seconds. */
    Optional<String> retryAfterSeconds() {
        return retryAfter.map(delay -> Long.toString(ceilSeconds(delay)));
    }

    private static long ceilSeconds(Duration delay) {
        return delay.getNano() == 0 ? delay.getSeconds() : delay.getSeconds() + 1;
    }

    private static String text(TaskMasterException error) {
        String message = error.getMessage();
        if (message == null) {
            return error.code().name();
        }
        return message.length() <= MAX_MESSAGE_CHARS ? message : message.substring(0, MAX_MESSAGE_CHARS) + " …";
    }
}
