package io.taskmaster.cli.queues;

import com.google.gson.JsonObject;
import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.GroupScope;
import io.taskmaster.cli.common.PidText;
import io.taskmaster.cli.common.QueueLines;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.TextTable;
import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.DescribeResult;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueDescription.LeaseSample;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.proxy.program.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The command {@code taskmaster describe}. The last row, or the last object, is the total of all matching queues, shown
 * or not.
 */
@Command(
        description = "Shows sizes, rates and ages of queues, and which worker holds which lease.",
        footer = {"  taskmaster describe crawl --sample 5", "  taskmaster describe --all-groups --json"})
public final class DescribeCommand extends ClientCommand {

    @Mixin
    private final GroupScope queues = new GroupScope();

    @Option(
            names = "--sample",
            paramLabel = "N",
            defaultValue = "0",
            description = "Number of leased tasks to show per queue (default: ${DEFAULT-VALUE}).")
    private int sample;

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "100",
            description = "Maximum number of queues (default: ${DEFAULT-VALUE}).")
    private int maxQueues;

    public DescribeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public ExitStatus run(TaskMasterClient client) {
        DescribeResult result = client.blocking()
                .describe(new DescribeRequest(queues.selector(options()), Math.max(0, sample), Math.max(0, maxQueues)));
        if (options().json()) {
            for (QueueDescription queue : result.queues()) {
                JsonObject json = QueueLines.json(queue);
                QueueLines.add(json, queue.options());
                println(json);
            }
            var total = new JsonObject();
            total.add("total", QueueLines.json(result.total()));
            println(total);
        } else {
            print(result);
        }
        return ExitStatus.OK;
    }

    private void print(DescribeResult result) {
        TextTable textTable = QueueLines.descriptions();
        for (QueueDescription queue : result.queues()) {
            QueueLines.add(textTable, queue);
        }
        QueueLines.addTotal(textTable, result.total());
        terminal().out().print(textTable);
        if (sample == 0) {
            return;
        }
        var leased = new TextTable("QUEUE", "PID", "LEASE", "WORKER", "ADDRESS", "LEASED", "EXPIRES", "ATTEMPT");
        for (QueueDescription queue : result.queues()) {
            for (LeaseSample task : queue.leasedSample()) {
                leased.add(
                        ByteText.line(queue.summary().queue().name()),
                        PidText.line(task.pid()),
                        Long.toUnsignedString(task.leaseId()),
                        task.worker(),
                        task.address(),
                        task.leased(),
                        task.leaseExpires(),
                        task.attempt());
            }
        }
        terminal().out().println();
        terminal().out().print(leased);
    }
}
