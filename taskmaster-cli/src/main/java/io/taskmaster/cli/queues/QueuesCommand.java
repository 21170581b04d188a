package io.taskmaster.cli.queues;

import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.GroupScope;
import io.taskmaster.cli.common.QueueLines;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.ListResult;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.proxy.program.ExitStatus;
import java.util.ArrayList;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command {@code taskmaster queues}: lists all queues page by page. JSON is printed after each page, the table at
 * the end.
 */
@Command(
        description = "Lists queues that hold tasks or have options set, with their sizes.",
        footer = {"  taskmaster queues", "  taskmaster queues --all-groups --min-available 1"})
public final class QueuesCommand extends ClientCommand {

    @Mixin
    private final GroupScope queues = new GroupScope();

    @Option(names = "--min-tasks", paramLabel = "N", description = "Minimum number of tasks of a queue, in all states.")
    private long minTasks;

    @Option(names = "--min-available", paramLabel = "N", description = "Minimum number of available tasks of a queue.")
    private long minAvailable;

    public QueuesCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public ExitStatus run(TaskMasterClient client) {
        ListRequest request = ListRequest.of(queues.selector(options()))
                .withConfigured()
                .minTasks(Math.max(0, minTasks))
                .minAvailable(Math.max(0, minAvailable));
        var all = new ArrayList<QueueSummary>();
        Optional<String> token;
        do {
            ListResult page = client.blocking().list(request);
            if (options().json()) {
                page.queues().forEach(queue -> println(QueueLines.json(queue)));
            } else {
                all.addAll(page.queues());
            }
            token = page.nextPageToken();
            request = token.isPresent() ? request.pageToken(token.get()) : request;
        } while (token.isPresent());
        if (!options().json()) {
            terminal().out().print(QueueLines.summaries(all));
        }
        return ExitStatus.OK;
    }
}
