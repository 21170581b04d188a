package io.taskmaster.cli.tasks;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code taskmaster renew}: renews a lease. */
@Command(
        description = "Extends a lease, to a duration from now.",
        footer = "  taskmaster renew crawl https://example.org/ 18364758544493064720 --for 5m")
public final class RenewCommand extends LeasedTaskCommand {

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            defaultValue = "60s",
            description = "Remaining length of the lease, from now (default: ${DEFAULT-VALUE}).")
    private Duration length = Duration.ZERO;

    public RenewCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void add(UpdateBuilder update, TaskReference task) {
        update.renew(task.queue(), task.pid(), task.leaseId(), length);
    }

    @Override
    List<Status> statuses(UpdateResult result) {
        return result.renewals();
    }

    @Override
    boolean leaseIsOptional() {
        return false;
    }
}
