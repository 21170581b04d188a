package io.taskmaster.cli.tasks;

import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.GroupScope;
import io.taskmaster.cli.common.TaskLines;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.UrgencyOption;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.Pid;
import io.taskmaster.proxy.program.ExitStatus;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command {@code taskmaster lease}: leases tasks and prints them. If there are none, it prints nothing and
 * succeeds.
 */
@Command(
        description = {
            "Leases the first available tasks of queues.",
            "Prints a line for each: queue, PID, lease id, attempt, expiry and data, parted by tabs;",
            "with --all-groups the group comes last."
        })
public final class LeaseCommand extends ClientCommand {

    @Mixin
    private final GroupScope queues = new GroupScope();

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many tasks at most (default: ${DEFAULT-VALUE}).")
    private int maxTasks;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            defaultValue = "60s",
            description = "How long the lease is (default: ${DEFAULT-VALUE}).")
    private Duration length = Duration.ZERO;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "0s",
            description = "How long to wait for a first task (default: not at all).")
    private Duration wait = Duration.ZERO;

    @Option(names = "--max-pid", paramLabel = "PID", description = "Only tasks up to and including this PID.")
    private Optional<Pid> maxPid = Optional.empty();

    @Option(names = "--max-bytes", paramLabel = "N", description = "How many bytes of data at most (default: 3 MiB).")
    private int maxBytes;

    @Option(
            names = "--max-leased-per-queue",
            paramLabel = "N",
            defaultValue = "0",
            description = "Never lease a queue beyond so many live leases (default: no cap).")
    private int maxLeasedPerQueue;

    @Mixin
    private final UrgencyOption urgency = new UrgencyOption();

    @Option(names = "--worker", paramLabel = "NAME", description = "Who leases, for people.")
    private Optional<String> worker = Optional.empty();

    public LeaseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public ExitStatus run(TaskMasterClient client) {
        var request = new LeaseRequest(
                queues.selector(options()),
                Math.max(1, maxTasks),
                length,
                maxPid,
                wait,
                Math.max(0, maxBytes),
                worker,
                Math.max(0, maxLeasedPerQueue),
                urgency.serviceClass());
        for (LeasedTask task : client.blocking().lease(request)) {
            println(options().json() ? TaskLines.json(task) : TaskLines.text(task, queues.allGroups()));
        }
        return ExitStatus.OK;
    }
}
