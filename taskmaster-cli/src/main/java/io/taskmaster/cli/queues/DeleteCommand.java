package io.taskmaster.cli.queues;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import com.google.common.collect.Lists;
import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.GroupScope;
import io.taskmaster.cli.common.QueueLines;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.TransferProgress;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.program.ExitStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command {@code taskmaster delete}: deletes queues, and with {@code --wait} blocks until their rows are cleared
 * away.
 */
@Command(
        description = "Deletes queues with all their tasks, and prints the size of each.",
        footer = {"  taskmaster delete crawl", "  taskmaster delete --match 'tmp-.*' --wait"})
public final class DeleteCommand extends ClientCommand {

    private static final int MAX_QUEUES_PER_CALL = 1000;
    private static final long PAUSE_MILLIS = 100;

    @Mixin
    private final GroupScope queues = new GroupScope();

    @Option(
            names = "--wait",
            description = "Return only when the stored data are removed, too; the tasks are gone at once.")
    private boolean wait;

    public DeleteCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public ExitStatus run(TaskMasterClient client) {
        List<QueueSummary> deleted = client.blocking().delete(queues.selector(options()));
        if (options().json()) {
            deleted.forEach(queue -> println(QueueLines.json(queue)));
        } else {
            terminal().out().print(QueueLines.summaries(deleted));
        }
        if (wait) {
            awaitCleared(client, deleted.stream().map(QueueSummary::queue).toList());
        }
        return ExitStatus.OK;
    }

    private void awaitCleared(TaskMasterClient client, List<QueueKey> deleted) {
        terminal().out().flush();
        try (TransferProgress transferProgress = TransferProgress.of(terminal(), "clear", deleted.size())) {
            int done = 0;
            for (List<QueueKey> slice : Lists.partition(deleted, MAX_QUEUES_PER_CALL)) {
                for (int remaining = uncleared(client, slice); remaining > 0; remaining = uncleared(client, slice)) {
                    transferProgress.to(done + slice.size() - remaining);
                    new CompletableFuture<>()
                            .completeOnTimeout("", PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                            .join();
                }
                done += slice.size();
                transferProgress.to(done);
            }
        }
    }

    private static int uncleared(TaskMasterClient client, List<QueueKey> queues) {
        Map<GroupName, List<QueueName>> names =
                queues.stream().collect(groupingBy(QueueKey::group, mapping(QueueKey::name, toList())));
        int uncleared = 0;
        for (Map.Entry<GroupName, List<QueueName>> group : names.entrySet()) {
            uncleared += client.blocking().uncleared(group.getKey(), group.getValue());
        }
        return uncleared;
    }
}
