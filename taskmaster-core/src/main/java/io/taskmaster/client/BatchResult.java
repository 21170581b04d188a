package io.taskmaster.client;

import io.taskmaster.error.TaskMasterException;
import java.util.List;

/** What became of one operation of a batch. Immutable. */
public sealed interface BatchResult {

    /** Of an update; it may have been refused. */
    record Updated(UpdateResult result) implements BatchResult {}

    /** Of a lease; empty if there was nothing to lease. */
    record Leased(List<LeasedTask> tasks) implements BatchResult {

        public Leased {
            tasks = List.copyOf(tasks);
        }
    }

    /** Of an operation that failed, on its own: what a single call would have thrown, without a delay to keep. */
    record Failed(TaskMasterException error) implements BatchResult {}
}
