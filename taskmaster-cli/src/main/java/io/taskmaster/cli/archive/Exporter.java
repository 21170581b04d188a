package io.taskmaster.cli.archive;

import io.taskmaster.archive.ArchiveEntry;
import io.taskmaster.archive.ArchiveWriter;
import io.taskmaster.cli.common.TransferProgress;
import io.taskmaster.cli.common.UpdatesInFlight;
import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.ListResult;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A writer of queues into an archive, one queue after the other. The next page of tasks is fetched while the one before
 * is written, so at most two pages are in memory. Nothing is locked: a task that exists during the whole export is
 * written once, one that is enqueued or dequeued meanwhile once or not at all. Single-threaded: owned by its command.
 */
public final class Exporter {

    /** The number of queues that are listed and described at a time. */
    private static final int QUEUES = 100;

    private static final int PAGE_TASKS = 1000;
    private static final int PAGE_BYTES = 4 << 20;

    private final TaskMasterClient client;
    private final ArchiveWriter archive;
    private final TransferProgress transferProgress;

    public Exporter(TaskMasterClient client, ArchiveWriter archive, TransferProgress transferProgress) {
        this.client = client;
        this.archive = archive;
        this.transferProgress = transferProgress;
    }

    public void export(QueueSelector queues) throws IOException, InterruptedException {
        Optional<ListRequest> next =
                Optional.of(ListRequest.of(queues).withConfigured().maxQueues(QUEUES));
        while (next.isPresent()) {
            ListRequest request = next.get();
            ListResult page = client.blocking().list(request);
            if (!page.unreachableNodes().isEmpty()) {
                throw new TaskMasterException(
                        ErrorCode.READ_FAILED, "nodes: %s cannot be reached".formatted(page.unreachableNodes()));
            }
            for (QueueDescription queue : describe(page.queues())) {
                export(queue);
            }
            next = page.nextPageToken().map(request::pageToken);
        }
    }

    /**
     * Returns the descriptions of queues. A queue without options that has become empty since it was listed is left
     * out.
     */
    private List<QueueDescription> describe(List<QueueSummary> queues) {
        SortedMap<GroupName, List<QueueName>> names = new TreeMap<>();
        for (QueueSummary queue : queues) {
            names.computeIfAbsent(queue.queue().group(), _ -> new ArrayList<>())
                    .add(queue.queue().name());
        }
        List<QueueDescription> described = new ArrayList<>();
        names.forEach((group, queueNames) -> client
                .blocking()
                .describe(DescribeRequest.of(QueueSelector.of(group, queueNames.toArray(QueueName[]::new))))
                .queues()
                .stream()
                .sorted(Comparator.comparing(queue -> queue.summary().queue()))
                .forEach(described::add));
        return described;
    }

    private void export(QueueDescription queue) throws IOException, InterruptedException {
        QueueKey key = queue.summary().queue();
        archive.write(new ArchiveEntry.Queue(key, queue.options()));
        Optional<CompletableFuture<PeekResult>> next = Optional.of(page(key, Pid.EMPTY));
        while (next.isPresent()) {
            PeekResult page = UpdatesInFlight.reply(next.get());
            next = page.next().map(from -> page(key, from));
            for (PeekedTask task : page.tasks()) {
                archive.write(ArchiveEntry.Task.of(task));
            }
            transferProgress.to(archive.tasks());
        }
    }

    private CompletableFuture<PeekResult> page(QueueKey queue, Pid from) {
        return client.peek(new PeekRequest(queue, from, PAGE_TASKS, true, PAGE_BYTES));
    }
}
