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
 * A call of a worker that was to end its lease of a task, with its outcome as the server knows it, whatever reply the
 * worker received. Immutable.
 *
 * @param at the time at which the outcome was known
 * @param queue the queue of the task, on which the stage works
 */
public record Commit(Duration at, String worker, QueueKey queue, Pid pid, Ending ending, Fate fate)
        implements KitEvent {

    /** The way in which the lease was to end. */
    public sealed interface Ending {

        /** A completion of the task. */
        record Done() implements Ending {
            @Override
            public String toString() {
                return "done";
            }
        }

        /** A hand-off of the task. */
        record HandOff(List<Target> targets) implements Ending {

            public HandOff {
                targets = List.copyOf(targets);
            }

            @Override
            public String toString() {
                return targets.stream().map(Target::toString).collect(Collectors.joining(", ", "handed off to ", ""));
            }
        }

        /** A retry of the task at a later time. */
        record Retry(Instant notBefore) implements Ending {
            @Override
            public String toString() {
                return "to be retried at " + notBefore;
            }
        }

        /** A release of the task, untouched. */
        record GivenBack() implements Ending {
            @Override
            public String toString() {
                return "released";
            }
        }

        /** A burial: the task becomes a dead letter. */
        record Dead(String reason) implements Ending {
            @Override
            public String toString() {
                return "dead, " + reason;
            }
        }
    }

    /**
     * A task that another one was handed off as.
     *
     * @param pid absent: one that the server would have assigned
     * @param collapsed true if a task of this PID was there already, and stays as it is
     */
    public record Target(QueueName queue, Optional<Pid> pid, boolean collapsed) {
        @Override
        public String toString() {
            return "%s[%s]%s"
                    .formatted(queue, pid.map(Pid::toString).orElse("last"), collapsed ? ", already queued" : "");
        }
    }

    /** The outcome of the call. */
    public sealed interface Fate {

        /** A success: the call was applied. */
        record Applied() implements Fate {
            @Override
            public String toString() {
                return "applied";
            }
        }

        /** A refusal because of this element: the lease is lost, or a PID is taken. */
        record Refused(Status why) implements Fate {
            @Override
            public String toString() {
                return "refused, " + why;
            }
        }

        /** An error; its code says whether the call was applied. */
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
        return KitEvent.line(this, "%s: %s (%s)".formatted(KitEvent.task(queue, pid), ending, fate));
    }
}
