package io.taskmaster.cli.tasks;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.client.Update.Release;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code taskmaster release}: releases a leased task. */
@Command(
        description = {
            "Releases a leased task, which becomes available again.",
            "Without a lease id, the task is released whichever worker has leased it."
        },
        footer = {
            "  taskmaster release crawl fifo:48213-7 18364758544493064720 --delay 10m",
            "  taskmaster lease mail --all-groups --json | taskmaster release - --untried"
        })
public final class ReleaseCommand extends LeasedTaskCommand {

    @Mixin
    private final DelayOptions delay = new DelayOptions();

    @Option(
            names = "--untried",
            description = "Do not count the lease as an attempt: no worker has started on the task.")
    private boolean untried;

    public ReleaseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void add(UpdateBuilder update, TaskReference task) {
        update.release(new Release(
                task.queue(),
                task.pid(),
                task.leaseId(),
                delay.notBefore(terminal().clock()),
                untried));
    }

    @Override
    List<Status> statuses(UpdateResult result) {
        return result.releases();
    }

    @Override
    boolean leaseIsOptional() {
        return true;
    }
}
