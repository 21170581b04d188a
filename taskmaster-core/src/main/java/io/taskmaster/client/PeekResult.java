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
 * @param tasks the tasks
 * @param next the PID to continue from; absent: the end was reached
 */
public record PeekResult(List<PeekedTask> tasks, Optional<Pid> next) {

    public PeekResult {
        tasks = List.copyOf(tasks);
    }

    /**
     * A task and its state.
     *
     * @param data the data; empty if it was not requested
     * @param dataBytes the size of the data in bytes, requested or not
     * @param enqueued the time of its enqueue
     * @param until leased: the expiry of the lease; delayed: the not-before time
     * @param attempt the number of its leases
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

    /** The state of a task. */
    public enum State {
        AVAILABLE,
        LEASED,
        DELAYED
    }
}
