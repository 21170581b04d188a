package io.taskmaster.client;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tasks of one queue in PID order. Immutable.
 *
 * @param next where to go on; absent: the end was reached
 */
public record PeekResult(List<PeekedTask> tasks, Optional<Pid> next) {

    public PeekResult {
        tasks = List.copyOf(tasks);
    }

    /**
     * A task as it stands.
     *
     * @param data empty if it was not asked for
     * @param dataBytes its size, asked for or not
     * @param until leased: when the lease ends; delayed: when it becomes available
     * @param attempt how often it has been leased
     */
    public record PeekedTask(
            Pid pid,
            Bytes data,
            long dataBytes,
            Map<String, String> headers,
            State state,
            Instant enqueued,
            Optional<Instant> until,
            int attempt) {}

    /** Where a task stands. */
    public enum State {
        AVAILABLE,
        LEASED,
        DELAYED
    }
}
