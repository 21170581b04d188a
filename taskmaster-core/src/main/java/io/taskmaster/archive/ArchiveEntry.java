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
 * What an archive is made of: a queue, and behind it its tasks. Queues ascend by group and name, the tasks of a queue by PID. Immutable.
 */
public sealed interface ArchiveEntry {

    /** A queue, with what it is set to. */
    record Queue(QueueKey key, QueueOptions options) implements ArchiveEntry {

        public Queue {
            if (key.name().isEmpty()) {
                throw new IllegalArgumentException("queue: no name (expected: one)");
            }
        }
    }

    /**
     * A task of the last queue before it.
     *
     * @param notBefore from when on it can be leased; absent: at once
     * @param enqueued when it was; a server that takes it back enqueues it anew
     * @param attempts how often it was leased, a lease that lasts included; a server that takes it back counts from 0
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

        /** A task that was looked at with its data. A leased one is available in the archive: leases end with the server that gave them. */
        public static Task of(PeekedTask task) {
            return new Task(
                    task.pid(),
                    task.data(),
                    task.headers(),
                    task.until().filter(_ -> task.state() == State.DELAYED),
                    task.enqueued(),
                    task.attempt());
        }

        /** The task as it is enqueued again; one that is there already stays as it is. */
        public Enqueue enqueue(QueueName queue) {
            return new Enqueue(queue, Optional.of(pid), data, headers, IfExists.COLLAPSE, notBefore);
        }
    }
}
