package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A call of a worker that was to end its lease of a task, and what became of it: as the server knows it, whatever the worker was told. Immutable.
 *
 * @param at when that was known
 * @param queue the task's, which the stage works on
 */
public record Commit(Duration at, String worker, QueueKey queue, Pid pid, Ending ending, Fate fate)
        implements Happening {

    /** How the lease was to end. */
    public sealed interface Ending {

        /** The task is done. */
        record Done() implements Ending {
            @Override
            public String toString() {
                return "done";
            }
        }

        /** The task goes on. */
        record HandOff(List<Target> targets) implements Ending {

            public HandOff {
                targets = List.copyOf(targets);
            }

            @Override
            public String toString() {
                return targets.stream().map(Target::toString).collect(Collectors.joining(", ", "handed off to ", ""));
            }
        }

        /** The task is tried again. */
        record Retry(Instant notBefore) implements Ending {
            @Override
            public String toString() {
                return "to be tried again at " + notBefore;
            }
        }

        /** The task is given back, untouched. */
        record GivenBack() implements Ending {
            @Override
            public String toString() {
                return "given back";
            }
        }

        /** The task becomes a dead letter. */
        record Dead(String reason) implements Ending {
            @Override
            public String toString() {
                return "dead, " + reason;
            }
        }
    }

    /**
     * A task that another one was handed on as.
     *
     * @param pid absent: one that the server would have assigned
     * @param collapsed whether there was one of this PID, which stays as it is
     */
    public record Target(QueueName queue, Optional<Pid> pid, boolean collapsed) {
        @Override
        public String toString() {
            return "%s[%s]%s"
                    .formatted(queue, pid.map(Pid::toString).orElse("last"), collapsed ? ", which is there" : "");
        }
    }

    /** What became of the call. */
    public sealed interface Fate {

        /** It was done. */
        record Applied() implements Fate {
            @Override
            public String toString() {
                return "applied";
            }
        }

        /** It was not done, because of this element: the lease is lost, or a PID is taken. */
        record Refused(Status why) implements Fate {
            @Override
            public String toString() {
                return "refused, " + why;
            }
        }

        /** It was not done, as far as the code says. */
        record Failed(ErrorCode code) implements Fate {
            @Override
            public String toString() {
                return "failed, " + code;
            }
        }
    }

    public boolean isApplied() {
        return fate instanceof Fate.Applied;
    }

    @Override
    public String toString() {
        return Happening.line(this, "%s: %s (%s)".formatted(Happening.task(queue, pid), ending, fate));
    }
}
