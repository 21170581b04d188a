package io.taskmaster.client;

import io.taskmaster.error.TaskMasterException;
import java.util.List;

/** The result of one operation of a batch. Immutable. */
public sealed interface BatchResult {

    /** The result of an update, which may have been refused. */
    record Updated(UpdateResult result) implements BatchResult {}

    /** The result of a lease; empty if no task was available. */
    record Leased(List<LeasedTask> tasks) implements BatchResult {

        public Leased {
            tasks = List.copyOf(tasks);
        }
    }

    /** The failure of one operation: the exception of a single call, without a delay before a retry. */
    record Failed(TaskMasterException error) implements BatchResult {}
}
