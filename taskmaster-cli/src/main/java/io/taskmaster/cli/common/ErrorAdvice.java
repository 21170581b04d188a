package io.taskmaster.cli.common;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.wire.ConnectionProblem;
import java.util.Optional;

/** Advice to users on errors, one line per error. Thread-safe: stateless. */
public final class ErrorAdvice {

    private ErrorAdvice() {}

    /** Returns the error code, the message and the advice, in one line. */
    public static String lineOf(TaskMasterException error) {
        String message = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
        return error.code() + ": " + message + ". " + adviceFor(error);
    }

    private static String adviceFor(TaskMasterException error) {
        Optional<ConnectionProblem> problem = ConnectionProblem.of(error.getCause());
        if (problem.isPresent()) {
            return adviceFor(problem.get());
        }
        if (error.code() == ErrorCode.NOT_CONNECTED) {
            return "Is a server running there? Start one with: taskmaster server.";
        }
        return switch (error.code().advice()) {
            case CALLER_FAULT -> "Change the request.";
            case NOT_ALLOWED -> "Use a token with permission for this: --token-file.";
            case NOT_SERVED -> "Omit it, or use a newer server.";
            case RETRY_LATER ->
                error.retryAfter()
                        .map(delay -> "Nothing was done; try again in " + delay.toMillis() + " ms.")
                        .orElse("Nothing was done; try again.");
            case OUTCOME_UNKNOWN -> "It may have been applied: check before you repeat it.";
            case SERVER_FAULT -> "See the log of the server.";
        };
    }

    private static String adviceFor(ConnectionProblem problem) {
        return switch (problem) {
            case SERVER_USES_TLS -> "Use --tls, or --ca with the certificate of its authority.";
            case SERVER_IS_PLAIN -> "Leave out --tls, --ca and --certificate (also in TASKMASTER_CA and the profile).";
            case UNTRUSTED_CERTIFICATE -> "Give the certificate of its authority: --ca.";
            case OTHER_HOST -> "Use a host name that the certificate contains: --server.";
            case CERTIFICATE_NOT_VALID -> "Renew it, or check the clocks of both machines.";
            case CERTIFICATE_REJECTED -> "Give the server another certificate: tls.certificate.";
            case CLIENT_CERTIFICATE_REJECTED ->
                "Use a certificate that is signed by an authority in the server's tls.client-ca.";
            case HTTP_PORT -> "Use the gRPC port of the server, by default 7400.";
        };
    }
}
