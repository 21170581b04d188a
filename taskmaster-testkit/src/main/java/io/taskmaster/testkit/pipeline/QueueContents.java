package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.PeekResult.State;
import io.taskmaster.model.Pid;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The tasks of a queue, or of a family of queues, at one moment. Immutable.
 *
 * @param name the name of the queue or family
 * @param tasks by group and queue, and in the order of their PIDs
 */
public record QueueContents<T>(String name, List<QueuedTask<T>> tasks) {

    public QueueContents {
        tasks = List.copyOf(tasks);
    }

    public List<T> payloads() {
        return tasks.stream().map(QueuedTask::payload).toList();
    }

    public List<Pid> pids() {
        return tasks.stream().map(QueuedTask::pid).toList();
    }

    public List<QueuedTask<T>> available() {
        return in(State.AVAILABLE);
    }

    public List<QueuedTask<T>> leased() {
        return in(State.LEASED);
    }

    public List<QueuedTask<T>> delayed() {
        return in(State.DELAYED);
    }

    private List<QueuedTask<T>> in(State state) {
        return tasks.stream().filter(task -> task.state() == state).toList();
    }

    @Override
    public String toString() {
        return tasks.stream().map(QueuedTask::toString).collect(Collectors.joining("\n  ", name + ":\n  ", ""));
    }
}
