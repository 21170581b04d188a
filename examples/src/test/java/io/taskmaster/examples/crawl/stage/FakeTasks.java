package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.error.TaskMasterException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers updates as it was told, then with success, and remembers them. Thread-safe. */
final class FakeTasks implements TaskSource {

    final List<Update> updates = new CopyOnWriteArrayList<>();
    private final Deque<Object> script = new ArrayDeque<>();

    /** The next answer: statuses of the enqueues that refuse the update, or an error. */
    synchronized FakeTasks say(Object answer) {
        script.add(answer);
        return this;
    }

    @Override
    public List<LeasedTask> lease(LeaseRequest request) {
        return List.of();
    }

    @Override
    public synchronized UpdateResult update(Update update) {
        updates.add(update);
        return switch (script.poll()) {
            case null -> new UpdateResult(true, List.of(), List.of(), List.of(), List.of(), List.of());
            case TaskMasterException error -> throw error;
            case UpdateResult result -> result;
            case Object other -> throw new AssertionError(other);
        };
    }

    static UpdateResult refused(Status dequeue, Status... enqueues) {
        return new UpdateResult(false, List.of(enqueues), List.of(dequeue), List.of(), List.of(), List.of());
    }
}
