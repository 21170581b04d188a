package io.taskmaster.stage;

import java.io.Serial;
import java.util.List;

/** A pipeline that cannot work as it is built. The message names everything that is wrong with it. */
public final class InvalidPipelineException extends IllegalArgumentException {

    @Serial
    private static final long serialVersionUID = 1;

    public InvalidPipelineException(List<String> problems) {
        super(String.join("; ", problems));
    }
}
