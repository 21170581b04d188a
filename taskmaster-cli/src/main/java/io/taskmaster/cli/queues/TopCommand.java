package io.taskmaster.cli.queues;

import com.google.gson.JsonObject;
import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.GroupScope;
import io.taskmaster.cli.common.IntervalOption;
import io.taskmaster.cli.common.QueueColumn;
import io.taskmaster.cli.common.QueueLines;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.TextTable;
import io.taskmaster.cli.screen.Screen;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.RankResult;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.proxy.program.ExitStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code taskmaster top}: at a terminal a page that is refreshed, elsewhere one table. */
@Command(
        description = "Shows the largest queues, or the first in another order, live.",
        footer = {
            "  taskmaster top",
            "  taskmaster top --all-groups --sort oldest --interval 1s",
            "  taskmaster top --match 'fetch/.*' --sort enqueued --once"
        })
public final class TopCommand extends ClientCommand {

    private final Supplier<Optional<Screen>> screens;

    @Mixin
    private final GroupScope queues = new GroupScope();

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            defaultValue = "available",
            description = "Order: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private TopOrder order = TopOrder.AVAILABLE;

    @Option(names = "--reverse", description = "Reverse the order: names from the last, numbers from the smallest.")
    private boolean reverse;

    @Mixin
    private final IntervalOption often = new IntervalOption();

    @Option(names = "--once", description = "Print one table and exit, on a terminal, too.")
    private boolean once;

    @Option(
            names = "--max",
            paramLabel = "N",
            defaultValue = "50",
            description = "Maximum number of queues in a table that is printed once (default: ${DEFAULT-VALUE}).")
    private int maxQueues;

    /**
     * Creates the command.
     *
     * @param screens opens a screen, if there is a terminal
     */
    public TopCommand(Terminal terminal, Supplier<Optional<Screen>> screens) {
        super(terminal);
        this.screens = screens;
    }

    @Override
    public ExitStatus run(TaskMasterClient client) {
        QueueSelector selector = queues.selector(options());
        TopView view = new TopView(selector, options().group(), order, reverse);
        Optional<Screen> live = once || options().json() ? Optional.empty() : screens.get();
        if (live.isPresent()) {
            try (Screen screen = live.get()) {
                new LiveTop(client, screen, terminal().clock(), options().server(), often.interval(), view).run();
            }
        } else {
            print(client.blocking().rank(view.request(Math.max(0, maxQueues))));
        }
        return ExitStatus.OK;
    }

    private void print(RankResult result) {
        if (options().json()) {
            for (int i = 0; i < result.queues().size(); i++) {
                JsonObject json = json(result.queues().get(i));
                if (!TopPage.verdict(result, i).isEmpty()) {
                    json.addProperty("verdict", TopPage.verdict(result, i));
                }
                println(json);
            }
            JsonObject total = new JsonObject();
            total.add("total", QueueLines.json(result.total()));
            total.addProperty("matched", result.matched());
            total.addProperty("closed_partitions", result.closedPartitions());
            println(total);
            return;
        }
        List<String> header = new ArrayList<>(List.of("GROUP", "QUEUE"));
        boolean hasVerdicts = TopPage.hasVerdicts(result);
        if (hasVerdicts) {
            header.add("VERDICT");
        }
        QueueColumn.ALL.forEach(column -> header.add(column.header()));
        TextTable textTable = new TextTable(header.toArray(String[]::new));
        for (int i = 0; i < result.queues().size(); i++) {
            QueueDescription queue = result.queues().get(i);
            List<Object> cells = new ArrayList<>(List.of(
                    ByteText.line(queue.summary().queue().group()),
                    ByteText.line(queue.summary().queue().name())));
            if (hasVerdicts) {
                cells.add(TopPage.verdict(result, i));
            }
            QueueColumn.ALL.forEach(column -> cells.add(column.cell().apply(queue)));
            textTable.add(cells.toArray());
        }
        println(TopPage.totals(result));
        terminal().out().print(textTable);
        TopPage.missing(result).ifPresent(text -> terminal().err().println("taskmaster: " + text));
    }

    private static JsonObject json(QueueDescription queue) {
        JsonObject json = QueueLines.json(queue);
        QueueLines.add(json, queue.options());
        return json;
    }
}
