package io.taskmaster.cli.queues;

import com.google.gson.JsonObject;
import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.TextTable;
import io.taskmaster.client.Flow;
import io.taskmaster.client.Flow.Family;
import io.taskmaster.client.Flow.Finding;
import io.taskmaster.client.Flow.HandOffs;
import io.taskmaster.client.QueueVerdict;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.FamilyName;
import io.taskmaster.proxy.program.ExitStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code taskmaster flow}: shows the flow of tasks between families of queues. It takes two samples, since
 * rates are their difference.
 */
@Command(
        description = "Shows how tasks flow between queues, and where work piles up.",
        footer = {"  taskmaster flow", "  taskmaster flow --over 10s --json"})
public final class FlowCommand extends ClientCommand {

    private static final double FEW_SECONDS = 120;
    private static final double SECONDS_PER_MINUTE = 60;
    private static final double MILLIS_PER_SECOND = 1_000;

    /** The bound on findings that are printed as text; {@code --json} prints all. */
    private static final int MAX_SENTENCES = 5;

    @Option(
            names = "--over",
            paramLabel = "DURATION",
            defaultValue = "2s",
            description = "Interval over which rates are measured (default: ${DEFAULT-VALUE}).")
    private Duration over = Duration.ZERO;

    @Option(names = "--mermaid", description = "Print the graph in the syntax of Mermaid.")
    private boolean mermaid;

    public FlowCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public ExitStatus run(TaskMasterClient client) {
        Flow before = client.blocking().flow();
        pause(over);
        FlowRates rates = new FlowRates(before, client.blocking().flow());
        if (mermaid) {
            terminal().out().print(mermaid(rates));
        } else if (options().json()) {
            rates.families().forEach(family -> println(json(rates, family)));
            rates.handOffs().forEach(handOffs -> println(json(rates, handOffs)));
            rates.findings().forEach(finding -> println(json(finding)));
            omitted(rates).ifPresent(terminal().err()::println);
        } else {
            print(rates);
        }
        return ExitStatus.OK;
    }

    private void print(FlowRates rates) {
        TextTable families = new TextTable(
                "GROUP", "FAMILY", "QUEUES", "AVAILABLE", "LEASED", "DELAYED", "ENQUEUED/s", "DEQUEUED/s", "EXPIRED");
        for (Family family : rates.families()) {
            families.add(
                    groupOf(family.name()),
                    lineOf(family.name()),
                    family.queues(),
                    family.available(),
                    family.leased(),
                    family.delayed(),
                    rate(rates.enqueuedPerSecond(family)),
                    rate(rates.dequeuedPerSecond(family)),
                    family.expired());
        }
        TextTable handOffs = new TextTable("FROM", "TO", "TASKS/s", "TASKS");
        for (HandOffs one : rates.handOffs()) {
            handOffs.add(lineOf(one.from()), lineOf(one.to()), rate(rates.perSecond(one)), Math.round(one.tasks()));
        }
        terminal().out().print(families);
        terminal().out().println();
        terminal().out().print(handOffs);
        terminal().out().println();
        omitted(rates).ifPresent(this::println);
        List<Finding> findings = rates.findings().stream()
                .filter(finding -> finding.verdict() != QueueVerdict.KEPT)
                .limit(MAX_SENTENCES)
                .toList();
        if (findings.isEmpty()) {
            println("No bottlenecks.");
        }
        findings.forEach(finding -> println(sentence(finding)));
    }

    private static Optional<String> omitted(FlowRates rates) {
        return rates.familiesLeftOut() == 0 && rates.handOffsLeftOut() == 0
                ? Optional.empty()
                : Optional.of("Not shown: %d families and %d hand-offs with less activity."
                        .formatted(rates.familiesLeftOut(), rates.handOffsLeftOut()));
    }

    private static String sentence(Finding finding) {
        String family = lineOf(finding.family());
        String tasks = finding.tasks() + (finding.tasks() == 1 ? " task waits" : " tasks wait");
        return switch (finding.verdict()) {
            case STUCK ->
                "No worker leases from %s any more: %s in %d of its queues (%s)."
                        .formatted(
                                family,
                                tasks,
                                finding.queues(),
                                finding.queue()
                                        .map(queue -> ByteText.line(queue.name()))
                                        .orElse("unknown"));
            case PAUSED -> "%s is paused: %s.".formatted(family, tasks);
            case BEHIND ->
                "Backlog in %s: %s, %s/s enqueued, %s/s dequeued, %s."
                        .formatted(
                                family,
                                tasks,
                                rate(finding.enqueueRate()),
                                rate(finding.dequeueRate()),
                                finding.timeLeft()
                                        .map(duration -> span(duration.toMillis() / MILLIS_PER_SECOND) + " of work")
                                        .orElse("and none is finished"));
            case KEPT, FINE -> "Kept in %s: %s.".formatted(family, tasks);
        };
    }

    private static String span(double seconds) {
        return seconds < FEW_SECONDS
                ? String.format(Locale.ROOT, "%.0f s", seconds)
                : String.format(Locale.ROOT, "%.0f min", seconds / SECONDS_PER_MINUTE);
    }

    private static JsonObject json(FlowRates rates, Family family) {
        JsonObject json = new JsonObject();
        json.addProperty("group", groupOf(family.name()));
        json.addProperty("family", lineOf(family.name()));
        json.addProperty("queues", family.queues());
        json.addProperty("available", family.available());
        json.addProperty("leased", family.leased());
        json.addProperty("delayed", family.delayed());
        json.addProperty("enqueued", family.enqueued());
        json.addProperty("enqueued_per_second", rates.enqueuedPerSecond(family));
        json.addProperty("leases", family.leases());
        json.addProperty("dequeued", family.dequeued());
        json.addProperty("dequeued_per_second", rates.dequeuedPerSecond(family));
        json.addProperty("ended", family.ended());
        json.addProperty("expired", family.expired());
        return json;
    }

    private static JsonObject json(Finding finding) {
        JsonObject json = new JsonObject();
        json.addProperty("verdict", finding.verdict().name().toLowerCase(Locale.ROOT));
        json.addProperty("group", groupOf(finding.family()));
        json.addProperty("family", lineOf(finding.family()));
        json.addProperty("queues", finding.queues());
        json.addProperty("tasks", finding.tasks());
        finding.queue().ifPresent(queue -> json.addProperty("stuck_longest", ByteText.line(queue.name())));
        return json;
    }

    private static JsonObject json(FlowRates rates, HandOffs handOffs) {
        JsonObject json = new JsonObject();
        json.addProperty("from", lineOf(handOffs.from()));
        json.addProperty("to", lineOf(handOffs.to()));
        json.addProperty("group", groupOf(handOffs.from()));
        json.addProperty("tasks", handOffs.tasks());
        json.addProperty("per_second", rates.perSecond(handOffs));
        return json;
    }

    private static String mermaid(FlowRates rates) {
        StringBuilder text = new StringBuilder("flowchart LR\n");
        Map<FamilyName, String> ids = new HashMap<>();
        for (Family family : rates.families()) {
            String id = "q" + ids.size();
            ids.put(family.name(), id);
            text.append("    %s[\"%s<br/>%d wait, %d leased\"]%n"
                    .formatted(id, lineOf(family.name()).replace("\"", "#quot;"), family.available(), family.leased()));
        }
        for (HandOffs one : rates.handOffs()) {
            text.append("    %s -->|%s/s| %s%n"
                    .formatted(ids.get(one.from()), rate(rates.perSecond(one)), ids.get(one.to())));
        }
        return text.toString();
    }

    /** Returns the group as other commands take it; {@code *} for a family over all groups. */
    private static String groupOf(FamilyName name) {
        return name.group().map(ByteText::line).orElse("*");
    }

    private static String lineOf(FamilyName name) {
        return ByteText.line(name.head()) + (name.isOpen() ? "*" : "") + ByteText.line(name.tail());
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%.1f", perSecond);
    }
}
