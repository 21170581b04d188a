package io.taskmaster.cli.common;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;

/** Advice to users on errors, one line per error. Thread-safe: stateless. */
public final class ErrorAdvice {

    private ErrorAdvice() {}

    /** Returns the error code, the message and the advice, in one line. */
    public static String lineOf(TaskMasterException error) {
        String message = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
        return error.code() + ": " + message + ". " + adviceFor(error);
    }

    private static String adviceFor(TaskMasterException error) {
        if (error.code() == ErrorCode.NOT_CONNECTED) {
            return "Is a server running there? Start one with: taskmaster server.";
        }
        return switch (error.code().advice()) {
            case CALLER_FAULT -> "Change the request.";
            case NOT_ALLOWED -> "Give a token that may do this: --token-file.";
            case NOT_SERVED -> "Do without it, or use a server of a later version.";
            case RETRY_LATER ->
                error.retryAfter()
                        .map(delay -> "Nothing was done; try again in " + delay.toMillis() + " ms.")
                        .orElse("Nothing was done; try again.");
            case OUTCOME_UNKNOWN -> "It may have been done: look before you repeat it.";
            case SERVER_FAULT -> "The log of the server says more.";
        };
    }
}
