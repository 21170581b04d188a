package io.taskmaster.server.cli;

import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.server.ExitStatus;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code taskmaster delete}. */
@Command(description = "Deletes queues with all their tasks, and shows what each held.")
final class DeleteCommand extends ClientCommand {

    @Mixin
    private final GroupScope queues = new GroupScope();

    DeleteCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    ExitStatus run(TaskMasterClient client) {
        List<QueueSummary> deleted = client.blocking().delete(queues.selector(options()));
        if (options().json()) {
            deleted.forEach(queue -> println(QueueLines.json(queue)));
        } else {
            terminal().out().print(QueueLines.summaries(deleted));
        }
        return ExitStatus.OK;
    }
}
