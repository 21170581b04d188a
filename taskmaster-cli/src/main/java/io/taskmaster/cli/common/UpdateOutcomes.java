package io.taskmaster.cli.common;

import io.taskmaster.client.UpdateResult.Status;

/** Explanations of the statuses of single elements, for users. Thread-safe: stateless. */
public final class UpdateOutcomes {

    private UpdateOutcomes() {}

    public static String explain(Status status) {
        return switch (status) {
            case OK -> "done";
            case COLLAPSED -> "a task with this PID is there already, and stays as it is";
            case ALREADY_EXISTS -> "a task with this PID is there already; nothing was changed";
            case LEASED -> "the task with this PID is leased, so it cannot be replaced; nothing was changed";
            case NOT_FOUND -> "there is no such task, or none any more";
            case LEASE_LOST -> "the task has been leased to somebody else, or released, since";
            case LEASE_EXPIRED -> "the lease has expired; lease the task again";
            case ABORTED -> "another element of the update was refused; nothing was changed";
        };
    }
}
