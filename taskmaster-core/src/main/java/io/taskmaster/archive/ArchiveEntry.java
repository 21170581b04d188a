package io.taskmaster.archive;

import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.PeekResult.State;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An entry of an archive: a queue, followed by its tasks. Queues ascend by group and name, the tasks of a queue by PID.
 * Immutable.
 */
public sealed interface ArchiveEntry {

    /** A queue and its options. */
    record Queue(QueueKey key, QueueOptions options) implements ArchiveEntry {

        public Queue {
            if (key.name().isEmpty()) {
                throw new IllegalArgumentException("queue: empty (expected: a name)");
            }
        }
    }

    /**
     * A task of the last queue before it.
     *
     * @param notBefore the not-before time; absent: available at once
     * @param enqueued the time of its enqueue; a server that imports it enqueues it anew
     * @param attempts the number of its leases, including one that has not ended; a server that imports it counts from
     *     0
     */
    record Task(
            Pid pid,
            Bytes data,
            Map<String, String> headers,
            Optional<Instant> notBefore,
            Instant enqueued,
            int attempts)
            implements ArchiveEntry {

        public Task {
            headers = Map.copyOf(headers);
            if (attempts < 0) {
                throw new IllegalArgumentException(
                        "attempts: %s (expected: up to 2^31 - 1)".formatted(Integer.toUnsignedString(attempts)));
            }
        }

        /**
         * Converts a task that was peeked with its data. A leased task is available in the archive, since leases do not
         * outlive their server.
         */
        public static Task of(PeekedTask task) {
            return new Task(
                    task.pid(),
                    task.data(),
                    task.headers(),
                    task.until().filter(notBefore -> task.state() == State.DELAYED),
                    task.enqueued(),
                    task.attempt());
        }

        /** Returns the enqueue that imports the task. A task with the same PID that is already queued stays. */
        public Enqueue enqueue(QueueName queue) {
            return new Enqueue(queue, Optional.of(pid), data, headers, IfExists.COLLAPSE, notBefore);
        }
    }
}
