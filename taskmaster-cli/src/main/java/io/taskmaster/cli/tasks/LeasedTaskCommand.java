package io.taskmaster.cli.tasks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.PidText;
import io.taskmaster.cli.common.TaskLines;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.UpdateOutcomes;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.client.UpdateResult.Status;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.program.ExitStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** A command on one leased task, named by arguments, or on each line of standard input. */
public abstract class LeasedTaskCommand extends ClientCommand {

    private static final String STANDARD_INPUT = "-";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "QUEUE",
            description = "Name of the queue; - reads lines that lease printed from standard input.")
    private String queue = "";

    @Parameters(index = "1", paramLabel = "PID", arity = "0..1", description = "PID of the task.")
    private Optional<Pid> pid = Optional.empty();

    @Parameters(index = "2", paramLabel = "LEASE", arity = "0..1", description = "Lease id, as printed by lease.")
    private Optional<String> lease = Optional.empty();

    @Mixin
    private final UpdateOptions updates = new UpdateOptions();

    LeasedTaskCommand(Terminal terminal) {
        super(terminal);
    }

    /** Adds the operation on a task to an update. */
    abstract void add(UpdateBuilder update, TaskReference task);

    /** Returns the statuses of the operation, of which there is one. */
    abstract List<Status> statuses(UpdateResult result);

    /** Returns whether the lease id may be missing, which means any lease. */
    abstract boolean leaseIsOptional();

    @Override
    public final ExitStatus run(TaskMasterClient client) throws IOException {
        try {
            return queue.equals(STANDARD_INPUT) && pid.isEmpty()
                    ? runLines(client)
                    : run(client, reference()) ? ExitStatus.OK : ExitStatus.FAILURE;
        } catch (TypeConversionException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private ExitStatus runLines(TaskMasterClient client) throws IOException {
        updates.refuseRequestId();
        boolean allFine = true;
        // Not closed, since standard input belongs to the process.
        var lines = new BufferedReader(new InputStreamReader(terminal().in(), UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isBlank()) {
                allFine &= run(client, TaskReference.parse(line));
            }
        }
        return allFine ? ExitStatus.OK : ExitStatus.FAILURE;
    }

    private boolean run(TaskMasterClient client, TaskReference task) {
        UpdateBuilder update = updates.in(task.group().orElse(options().group()));
        add(update, task);
        Status status = statuses(client.blocking().update(update.build())).getFirst();
        if (options().json()) {
            var json = new JsonObject();
            TaskLines.add(json, "queue", task.queue());
            TaskLines.addPid(json, task.pid());
            json.addProperty("status", status.toString());
            println(json);
        } else if (status == Status.OK) {
            println(status + "\t" + ByteText.line(task.queue()) + "\t" + PidText.line(task.pid()));
        }
        if (status != Status.OK) {
            fail(status + ": " + ByteText.line(task.queue()) + " " + PidText.line(task.pid()) + ": "
                    + UpdateOutcomes.explain(status));
        }
        return status == Status.OK;
    }

    private TaskReference reference() {
        if (pid.isEmpty()) {
            throw usage("PID: missing");
        }
        if (lease.isEmpty() && !leaseIsOptional()) {
            throw usage("LEASE: missing (expected: the lease id that lease printed)");
        }
        return new TaskReference(
                Optional.empty(),
                QueueName.wrap(ByteText.parse(queue)),
                pid.get(),
                lease.map(TaskReference::leaseId).orElse(Update.UNCONDITIONAL));
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
