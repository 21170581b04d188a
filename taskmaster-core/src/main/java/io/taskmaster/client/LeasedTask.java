package io.taskmaster.client;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.time.Instant;
import java.util.Map;

/**
 * A task that is ours until its lease ends, or somebody else's after that. Immutable.
 *
 * @param leaseId fences: of two holders of a task only the one with the larger id can still dequeue, renew or release it
 * @param leaseExpires by the server's clock
 * @param attempt 1 for the first lease of the task; one after which it was released untried does not count
 */
public record LeasedTask(
        QueueKey queue,
        Pid pid,
        Bytes data,
        Map<String, String> headers,
        long leaseId,
        Instant leaseExpires,
        int attempt,
        Instant enqueued) {}
