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
@Command(description = "Gives a leased task back. Without a lease id: whoever holds it.")
public final class ReleaseCommand extends LeasedTaskCommand {

    @Mixin
    private final DelayOptions delay = new DelayOptions();

    @Option(names = "--untried", description = "Nobody has worked on it: the lease does not count as an attempt.")
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
