package io.taskmaster.cli.tasks;

import com.google.gson.JsonObject;
import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.PidText;
import io.taskmaster.cli.common.TaskLines;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.UpdateOutcomes;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.program.ExitStatus;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code taskmaster enqueue}: enqueues one task from the arguments, or one per line of standard input. */
@Command(
        description = {
            "Enqueues a task, or one per line of standard input.",
            "Prints the status and the PID, separated by a tab; for standard input, the number of tasks."
        },
        footer = {
            "  taskmaster enqueue crawl 'a page' --pid https://example.org/",
            "  taskmaster enqueue mail 'happy birthday' --not-before 2026-12-24T18:00:00Z",
            "  taskmaster enqueue crawl - < urls.txt"
        })
public final class EnqueueCommand extends ClientCommand {

    private static final String STANDARD_INPUT = "-";

    @Parameters(index = "0", paramLabel = "QUEUE", description = "Name of the queue.")
    private QueueName queue = QueueName.EMPTY;

    @Parameters(
            index = "1",
            paramLabel = "DATA",
            arity = "0..1",
            description = "Data of the task (default: empty); - reads a task from each line of standard input.")
    private String data = "";

    @Option(
            names = "--pid",
            paramLabel = "PID",
            description = "PID of the task: its priority and identity (default: assigned by the server, FIFO).")
    private Optional<Pid> pid = Optional.empty();

    @Option(
            names = "--if-exists",
            paramLabel = "WHAT",
            defaultValue = "collapse",
            description =
                    "If a task with the PID exists: collapse, replace, rerun or fail (default: ${DEFAULT-VALUE}).")
    private IfExists ifExists = IfExists.COLLAPSE;

    @Option(names = "--header", paramLabel = "KEY=VALUE", description = "Header of the task; repeatable.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Mixin
    private final DelayOptions delay = new DelayOptions();

    @Mixin
    private final UpdateOptions updates = new UpdateOptions();

    @Option(names = "--with-pids", description = "Read a PID, a tab, and data from each line of standard input.")
    private boolean withPids;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "500",
            description = "Lines of standard input per update (default: ${DEFAULT-VALUE}).")
    private int batch;

    public EnqueueCommand(Terminal terminal) {
        super(terminal);
    }

    /**
     * Lines from standard input are retried without end while the server is overloaded: a load that stops half way is
     * more trouble than one that waits.
     */
    @Override
    public int maxRetries() {
        return data.equals(STANDARD_INPUT) ? Integer.MAX_VALUE : super.maxRetries();
    }

    @Override
    public ExitStatus run(TaskMasterClient client) throws IOException, InterruptedException {
        Optional<Instant> notBefore = delay.notBefore(terminal().clock());
        if (data.equals(STANDARD_INPUT)) {
            updates.refuseRequestId();
            return new LineEnqueuer(
                            client,
                            () -> updates.in(options().group()),
                            Math.clamp(batch, 1, LineEnqueuer.MAX_BATCH),
                            withPids)
                    .run(terminal(), options().json(), line -> task(line, notBefore));
        }
        UpdateBuilder update = updates.in(options().group()).enqueue(task(pid, data, notBefore));
        return print(client.blocking().update(update.build()));
    }

    /** Returns the task of a line, which is passed without its line end. */
    private Enqueue task(String line, Optional<Instant> notBefore) {
        if (!withPids) {
            return task(Optional.empty(), line, notBefore);
        }
        int tab = line.indexOf('\t');
        String first = tab < 0 ? line : line.substring(0, tab);
        String remainder = tab < 0 ? "" : line.substring(tab + 1);
        return task(Optional.of(PidText.parse(first)), remainder, notBefore);
    }

    private Enqueue task(Optional<Pid> name, String text, Optional<Instant> notBefore) {
        return new Enqueue(queue, name, Bytes.wrap(ByteText.parse(text)), headers, ifExists, notBefore);
    }

    private ExitStatus print(UpdateResult result) {
        Status status = result.enqueues().getFirst();
        Optional<Pid> assigned =
                result.success() ? Optional.of(result.assignedPids().getFirst()) : pid;
        if (options().json()) {
            var json = new JsonObject();
            TaskLines.add(json, "queue", queue);
            assigned.ifPresent(value -> TaskLines.addPid(json, value));
            json.addProperty("status", status.toString());
            println(json);
        } else if (result.success()) {
            println(status + "\t" + assigned.map(PidText::line).orElse("-"));
        }
        return result.success()
                ? ExitStatus.OK
                : fail(status + ": " + ByteText.line(queue) + " "
                        + pid.map(PidText::line).orElse("-") + ": " + UpdateOutcomes.explain(status));
    }
}
