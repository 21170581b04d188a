package io.taskmaster.stage;

import java.io.Serial;
import java.util.List;

/** The error of a pipeline that cannot work as it is built. The message lists every problem. */
public final class InvalidPipelineException extends IllegalArgumentException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the error with all problems in its message. */
    public InvalidPipelineException(List<String> problems) {
        super(String.join("; ", problems));
    }
}
