package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.ListResult;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.testkit.virtual.TimeDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A reader of the contents of a kit's queues. Its calls take no time. Single-threaded: owned by the test. */
final class QueueReader {

    private final TaskMasterClient client;
    private final TimeDriver timeDriver;

    QueueReader(TaskMasterClient client, TimeDriver timeDriver) {
        this.client = client;
        this.timeDriver = timeDriver;
    }

    /** Returns the queues that hold tasks, of every group. */
    List<QueueSummary> queues(Predicate<QueueName> matching) {
        List<QueueSummary> found = new ArrayList<>();
        ListRequest request = ListRequest.of(QueueSelector.all());
        for (Optional<String> page = Optional.of(""); page.isPresent(); ) {
            ListResult result = timeDriver.await(client.list(request));
            result.queues().stream()
                    .filter(queue ->
                            queue.total() > 0 && matching.test(queue.queue().name()))
                    .forEach(found::add);
            page = result.nextPageToken();
            request = page.map(request::pageToken).orElse(request);
        }
        return found;
    }

    <T> QueueContents<T> contents(TaskQueue<T> queue) {
        return read(queue.toString(), name -> Members.has(queue, name), queue);
    }

    <T> QueueContents<T> deadLetters(TaskQueue<T> queue) {
        return read(
                DeadLetter.queueOf(QueueName.of(queue.toString())).toString(),
                name -> Members.hasDead(queue, name),
                queue);
    }

    private <T> QueueContents<T> read(String name, Predicate<QueueName> matching, TaskQueue<T> queue) {
        return new QueueContents<>(
                name,
                queues(matching).stream()
                        .flatMap(each -> tasks(each.queue(), queue).stream())
                        .toList());
    }

    private <T> List<QueuedTask<T>> tasks(QueueKey key, TaskQueue<T> queue) {
        List<QueuedTask<T>> tasks = new ArrayList<>();
        PeekRequest request = PeekRequest.of(key).withData(true);
        for (Optional<Pid> next = Optional.of(Pid.EMPTY); next.isPresent(); ) {
            PeekResult result = timeDriver.await(client.peek(request.from(next.get())));
            result.tasks().forEach(task -> tasks.add(new QueuedTask<>(key, task, queue.codec())));
            next = result.next();
        }
        return tasks;
    }
}
