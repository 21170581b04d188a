package io.taskmaster.stage.worker;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.stage.guard.Warnings;
import io.taskmaster.stage.worker.task.HandlerResult;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The present failure of one kind of call to the server. It is logged once until a call succeeds. Single-threaded:
 * owned by a stage runner.
 */
final class OutageReporter {

    private final String call;
    private final Warnings warnings;
    private Optional<String> current = Optional.empty();

    OutageReporter(String call, Warnings warnings) {
        this.call = call;
        this.warnings = warnings;
    }

    void met(TaskMasterException error) {
        String message = call + ": " + error.getMessage();
        if (current.isEmpty()) {
            warnings.warn(call, message + " (retrying)", null);
        }
        current = Optional.of(message);
    }

    void onRecovery() {
        current = Optional.empty();
    }

    Optional<String> current() {
        return current;
    }

    /** Returns the failure of a call as a {@link TaskMasterException}. */
    static TaskMasterException of(@Nullable Throwable error) {
        return error instanceof TaskMasterException known
                ? known
                : new TaskMasterException(
                        ErrorCode.INTERNAL,
                        "call: " + (error == null ? "no result" : HandlerResult.textOf(error)),
                        null,
                        error);
    }
}
