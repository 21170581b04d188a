package io.taskmaster.cli.tasks;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import java.util.List;
import picocli.CommandLine.Command;

/** The command {@code taskmaster dequeue}: dequeues a task. */
@Command(
        description = {
            "Dequeues a leased task.",
            "Without a lease id, the task is dequeued whichever worker has leased it."
        },
        footer = {
            "  taskmaster dequeue crawl https://example.org/ 18364758544493064720",
            "  taskmaster lease crawl --max 100 | taskmaster dequeue -"
        })
public final class DequeueCommand extends LeasedTaskCommand {

    public DequeueCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void add(UpdateBuilder update, TaskReference task) {
        update.dequeue(task.queue(), task.pid(), task.leaseId());
    }

    @Override
    List<Status> statuses(UpdateResult result) {
        return result.dequeues();
    }

    @Override
    boolean leaseIsOptional() {
        return true;
    }
}
