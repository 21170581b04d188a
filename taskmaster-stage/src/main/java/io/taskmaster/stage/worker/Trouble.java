package io.taskmaster.stage.worker;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a kind of call of a stage does not get from the server at present, told once until it is over. Single-threaded: owned by a stage runner. */
final class Trouble {

    private static final Logger LOG = LoggerFactory.getLogger(Trouble.class);

    private final String stage;
    private final String call;
    private Optional<String> current = Optional.empty();

    Trouble(String stage, String call) {
        this.stage = stage;
        this.call = call;
    }

    void met(TaskMasterException error) {
        String message = call + ": " + error.getMessage();
        if (current.isEmpty()) {
            LOG.warn("stage {}: {} (goes on trying)", stage, message);
        }
        current = Optional.of(message);
    }

    void isOver() {
        current = Optional.empty();
    }

    Optional<String> current() {
        return current;
    }

    /** What a call failed with, as an error with advice. */
    static TaskMasterException of(@Nullable Throwable error) {
        return error instanceof TaskMasterException known
                ? known
                : new TaskMasterException(ErrorCode.INTERNAL, "call: " + error, null, error);
    }
}
