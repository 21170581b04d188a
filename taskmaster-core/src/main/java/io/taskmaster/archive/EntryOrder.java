package io.taskmaster.archive;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import org.jspecify.annotations.Nullable;

/** A check of the order of entries, which also counts them. Single-threaded: owned by its caller. */
final class EntryOrder {

    private @Nullable QueueKey queue;
    private @Nullable Pid pid;
    private long queues;
    private long tasks;

    /**
     * Counts the next entry.
     *
     * @throws IllegalArgumentException if it is out of order
     */
    void next(ArchiveEntry entry) {
        switch (entry) {
            case ArchiveEntry.Queue(QueueKey key, var options) -> {
                if (queue != null && key.compareTo(queue) <= 0) {
                    throw new IllegalArgumentException("queue: %s (expected: a queue after %s)".formatted(key, queue));
                }
                queue = key;
                pid = null;
                queues++;
            }
            case ArchiveEntry.Task task -> {
                if (queue == null) {
                    throw new IllegalArgumentException("task: %s (expected: a queue before it)".formatted(task.pid()));
                }
                if (pid != null && task.pid().compareTo(pid) <= 0) {
                    throw new IllegalArgumentException("pid: %s (expected: a PID after %s)".formatted(task.pid(), pid));
                }
                pid = task.pid();
                tasks++;
            }
        }
    }

    long queues() {
        return queues;
    }

    long tasks() {
        return tasks;
    }
}
