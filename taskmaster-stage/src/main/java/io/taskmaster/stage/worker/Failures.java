package io.taskmaster.stage.worker;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why tasks of a stage are tried again: the first after a success is told, with where it was thrown, the others to who wants to know it all.
 * Single-threaded: owned by a stage runner.
 */
final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private final String stage;
    private boolean failing;
    private Optional<String> last = Optional.empty();

    Failures(String stage) {
        this.stage = stage;
    }

    void met(String reason, Optional<Throwable> cause) {
        if (!failing) {
            LOG.warn("stage {}: a task is to be tried again: {}", stage, reason, cause.orElse(null));
        } else {
            LOG.debug("stage {}: a task is to be tried again: {}", stage, reason, cause.orElse(null));
        }
        failing = true;
        last = Optional.of(reason);
    }

    /** A task got on. */
    void areOver() {
        failing = false;
    }

    Optional<String> last() {
        return last;
    }
}
