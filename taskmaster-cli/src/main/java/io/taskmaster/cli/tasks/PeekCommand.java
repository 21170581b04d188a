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
            "Shows the tasks of a queue in PID order, without leasing them.",
            "A line per task has PID, state, attempts, bytes, time of enqueue, and the end of its lease or delay,"
                    + " separated by tabs; with --data the data are the last column."
        },
        footer = {"  taskmaster peek crawl", "  taskmaster peek crawl --from https:// --max 20 --data"})
public final class PeekCommand extends ClientCommand {

    private static final int PAGE = 1000;

    @Parameters(paramLabel = "QUEUE", description = "Name of the queue.")
    private QueueName queue = QueueName.EMPTY;

    @Option(
            names = "--from",
            paramLabel = "PID",
            description = "Smallest PID to show (default: the head of the queue).")
    private Pid from = Pid.EMPTY;

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "100",
            description = "Maximum number of tasks (default: ${DEFAULT-VALUE}).")
    private int maxTasks;

    @Option(names = "--data", description = "Show the data of the tasks.")
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
