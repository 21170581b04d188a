package io.taskmaster.cli.queues;

import com.google.gson.JsonObject;
import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.ErrorAdvice;
import io.taskmaster.cli.common.IntervalOption;
import io.taskmaster.cli.common.QueueColumn;
import io.taskmaster.cli.common.QueueLines;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.DescribeResult;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.program.ExitStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code taskmaster watch}: prints a line about a queue at each interval. After the first line, a server
 * that does not answer is reported once, and polled on.
 */
@Command(
        description = "Prints the state of a queue at intervals, a line each.",
        footer = {
            "  taskmaster watch crawl",
            "  taskmaster watch crawl --interval 10s --count 6 --json",
            "  taskmaster watch crawl --until-empty"
        })
public final class WatchCommand extends ClientCommand {

    /** The number of lines between two headers, which fits on most screens. */
    private static final int LINES_PER_HEADER = 20;

    private static final String TIME = "TIME                ";

    @Parameters(paramLabel = "QUEUE", description = "Name of the queue, which need not exist yet.")
    private QueueName name = QueueName.EMPTY;

    @Mixin
    private final IntervalOption often = new IntervalOption();

    @Option(names = "--count", paramLabel = "N", description = "Number of lines (default: unlimited).")
    private Optional<Long> count = Optional.empty();

    @Option(
            names = "--until-empty",
            description = "Exit once the queue holds no tasks; with status 1 if it still does after --count lines.")
    private boolean untilEmpty;

    /** The number of lines printed. */
    private long lines;

    /** True while the server does not answer, after that was reported. */
    private boolean away;

    public WatchCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public ExitStatus run(TaskMasterClient client) {
        QueueKey queue = new QueueKey(options().group(), name);
        while (true) {
            Optional<DescribeResult> answer = describe(client, queue);
            answer.ifPresent(result -> show(queue, result.queues().stream().findFirst()));
            if (untilEmpty && answer.map(WatchCommand::isEmpty).orElse(false)) {
                return ExitStatus.OK;
            }
            if (count.isPresent() && lines >= count.get()) {
                return untilEmpty ? ExitStatus.FAILURE : ExitStatus.OK;
            }
            pause(often.interval());
        }
    }

    /** Returns the server's reply; empty if it does not answer for the time being. */
    private Optional<DescribeResult> describe(TaskMasterClient client, QueueKey queue) {
        try {
            DescribeResult result = client.blocking().describe(DescribeRequest.of(QueueSelector.of(queue)));
            away = false;
            return Optional.of(result);
        } catch (TaskMasterException e) {
            if (lines == 0 || !mayPass(e)) {
                throw e;
            }
            if (!away) {
                var _ = fail(ErrorAdvice.lineOf(e));
                away = true;
            }
            return Optional.empty();
        }
    }

    private static boolean isEmpty(DescribeResult result) {
        return result.total().summary().total() == 0;
    }

    private static boolean mayPass(TaskMasterException e) {
        return switch (e.code().advice()) {
            case RETRY_LATER, OUTCOME_UNKNOWN -> true;
            case CALLER_FAULT, NOT_ALLOWED, NOT_SERVED, SERVER_FAULT -> false;
        };
    }

    /**
     * Prints a line.
     *
     * @param description absent if the queue has neither tasks nor options
     */
    private void show(QueueKey queue, Optional<QueueDescription> description) {
        Instant at = Instant.ofEpochMilli(terminal().clock().wallMillis());
        if (options().json()) {
            JsonObject json = new JsonObject();
            json.addProperty("at", at.toString());
            description
                    .map(one -> QueueLines.json(one))
                    .orElseGet(() -> QueueLines.json(new QueueSummary(queue, 0, 0, 0)))
                    .asMap()
                    .forEach(json::add);
            println(json);
        } else {
            if (lines % LINES_PER_HEADER == 0) {
                println(line(TIME, QueueColumn::header));
            }
            println(line(
                    at.truncatedTo(ChronoUnit.SECONDS).toString(),
                    column -> description.map(column.cell()).orElse(column.emptyText())));
        }
        lines++;
    }

    private static String line(String time, Function<QueueColumn, String> cell) {
        StringBuilder line = new StringBuilder(time);
        QueueColumn.ALL.forEach(column -> line.append("  ").append(column.align(cell.apply(column))));
        return line.toString();
    }
}
