package io.taskmaster.cli.common;

import io.taskmaster.client.UpdateResult.Status;

/** Explanations of the statuses of single elements, for users. Thread-safe: stateless. */
public final class UpdateOutcomes {

    private UpdateOutcomes() {}

    public static String explain(Status status) {
        return switch (status) {
            case OK -> "done";
            case COLLAPSED -> "a task with this PID exists, and is unchanged";
            case ALREADY_EXISTS -> "a task with this PID exists; nothing was changed";
            case LEASED -> "the task with this PID is leased, so it cannot be replaced; nothing was changed";
            case NOT_FOUND -> "no such task; it may have been dequeued";
            case LEASE_LOST -> "the task has since been leased by another worker, or released";
            case LEASE_EXPIRED -> "the lease has expired; lease the task again";
            case ABORTED -> "another element of the update was rejected; nothing was changed";
        };
    }
}
