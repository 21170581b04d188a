package io.taskmaster.cli.tasks;

import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.GroupScope;
import io.taskmaster.cli.common.TaskLines;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.UrgencyOption;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.Pid;
import io.taskmaster.proxy.program.ExitStatus;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code taskmaster lease}: leases tasks and prints them. If there are none, it prints nothing and
 * succeeds.
 */
@Command(
        description = {
            "Leases available tasks and prints them.",
            "A line per task has queue, PID, lease id, attempt, expiry and data, separated by tabs; with --all-groups"
                    + " the group is the last column."
        },
        footer = {
            "  taskmaster lease crawl --max 10 --for 5m --wait 30s",
            "  taskmaster lease --match 'crawl/.*' --without-dead-letters --json",
            "  taskmaster lease --match 'customer-.*' --max 50 --max-leased-per-queue 2"
        })
public final class LeaseCommand extends ClientCommand {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final GroupScope queues = new GroupScope();

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "1",
            description = "Maximum number of tasks (default: ${DEFAULT-VALUE}).")
    private int maxTasks;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            defaultValue = "60s",
            description = "Length of the lease (default: ${DEFAULT-VALUE}).")
    private Duration length = Duration.ZERO;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "0s",
            description = "Time to wait for a first task (default: ${DEFAULT-VALUE}).")
    private Duration wait = Duration.ZERO;

    @Option(names = "--max-pid", paramLabel = "PID", description = "Largest PID to lease.")
    private Optional<Pid> maxPid = Optional.empty();

    @Option(
            names = "--max-bytes",
            paramLabel = "N",
            description = "Maximum size of all data, in bytes (default: 3 MiB).")
    private int maxBytes;

    @Option(
            names = "--max-leased-per-queue",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Maximum number of live leases of each queue, those of other workers included (default: none).")
    private int maxLeasedPerQueue;

    @Option(names = "--without-dead-letters", description = "With --match: lease from no dead-letter queue, NAME.dead.")
    private boolean withoutDeadLetters;

    @Mixin
    private final UrgencyOption urgency = new UrgencyOption();

    @Option(names = "--worker", paramLabel = "NAME", description = "Name of the worker, which describe shows.")
    private Optional<String> worker = Optional.empty();

    public LeaseCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public ExitStatus run(TaskMasterClient client) {
        QueueSelector selected = queues.selector(options());
        if (withoutDeadLetters && selected.pattern().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--without-dead-letters: given alone (expected: together with --match)");
        }
        var request = new LeaseRequest(
                withoutDeadLetters ? selected.withoutDeadLetters() : selected,
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
