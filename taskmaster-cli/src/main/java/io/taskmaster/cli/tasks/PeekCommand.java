package io.taskmaster.cli.tasks;

import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.TaskLines;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.program.ExitStatus;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code taskmaster peek}: prints tasks without leasing them, page after page until it has the requested
 * number.
 */
@Command(
        description = {
            "Shows tasks of a queue in PID order, without leasing them.",
            "Prints a line for each: PID, state, attempts, bytes, enqueued, until, and data if asked for, parted by tabs."
        })
public final class PeekCommand extends ClientCommand {

    private static final int PAGE = 1000;

    @Parameters(paramLabel = "QUEUE", description = "Queue.")
    private QueueName queue = QueueName.EMPTY;

    @Option(names = "--from", paramLabel = "PID", description = "First PID to show (default: the head).")
    private Pid from = Pid.EMPTY;

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many tasks at most (default: ${DEFAULT-VALUE}).")
    private int maxTasks;

    @Option(names = "--data", description = "With the data of the tasks.")
    private boolean withData;

    public PeekCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public ExitStatus run(TaskMasterClient client) {
        var key = new QueueKey(options().group(), queue);
        Optional<Pid> next = Optional.of(from);
        int remaining = maxTasks;
        while (next.isPresent() && remaining > 0) {
            PeekResult page =
                    client.blocking().peek(new PeekRequest(key, next.get(), Math.min(remaining, PAGE), withData, 0));
            page.tasks()
                    .forEach(task -> println(
                            options().json() ? TaskLines.json(task, withData) : TaskLines.text(task, withData)));
            remaining -= page.tasks().size();
            next = page.next();
        }
        return ExitStatus.OK;
    }
}
