package io.taskmaster.examples.demo;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.ListResult;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The sizes of all queues of a group at one moment, leased tasks included. One reply lists them all, and a hand-off is
 * one update, so no task is ever between two queues. Immutable.
 */
public record QueueSizes(List<QueueSummary> queues) {

    private static final int MAX_QUEUES = 10_000;

    public QueueSizes {
        queues = List.copyOf(queues);
    }

    /** Requests the sizes. Blocks. */
    public static QueueSizes take(BlockingClient client, GroupName group) {
        ListRequest request = ListRequest.of(QueueSelector.allIn(group)).maxQueues(MAX_QUEUES);
        List<QueueSummary> queues = new ArrayList<>();
        Optional<ListResult> page = Optional.of(client.list(request));
        while (page.isPresent()) {
            queues.addAll(page.get().queues());
            page = page.get().nextPageToken().map(next -> client.list(request.pageToken(next)));
        }
        return new QueueSizes(queues);
    }

    /** Returns the number of tasks in one queue. */
    public long tasksIn(QueueName queue) {
        return tasksIn(queue::equals);
    }

    /** Returns the number of tasks in all matching queues. */
    public long tasksIn(Predicate<QueueName> which) {
        return queues.stream()
                .filter(queue -> which.test(queue.queue().name()))
                .mapToLong(QueueSummary::total)
                .sum();
    }
}
