package io.taskmaster.server.http;

import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;

/** A body that did not come whole: cut short, too slow, framed wrongly, or larger than the limit. */
final class BrokenBodyException extends Exception {

    private static final long serialVersionUID = 1L;

    BrokenBodyException(Exception cause) {
        super("the body could not be read", cause, false, false);
    }

    Failure failure() {
        if (getCause() instanceof RequestException refused
                && refused.status().equals(Status.REQUEST_ENTITY_TOO_LARGE_413)) {
            return Failure.ofTransport(refused.status().code(), "body: larger than the limit");
        }
        return Failure.of(new TaskMasterException(
                ErrorCode.BAD_JSON, "body: cannot be read to its end (expected: as announced)"));
    }
}
