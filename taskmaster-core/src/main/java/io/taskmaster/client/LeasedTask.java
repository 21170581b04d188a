package io.taskmaster.client;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.time.Instant;
import java.util.Map;

/**
 * A task under a lease, which is this worker's until the lease expires. Immutable.
 *
 * @param leaseId the fence: of two holders of a task only the one with the larger id can still dequeue, renew or
 *     release it
 * @param leaseExpires the expiry of the lease, by the server's clock
 * @param attempt the number of leases of the task, this one included; leases after which it was released untried do not
 *     count
 * @param enqueued the time of its enqueue, by the server's clock
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
