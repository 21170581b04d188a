package io.taskmaster.harness.chaos;

import io.taskmaster.harness.fault.FaultKind;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict.Checked;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of a run. Immutable.
 *
 * @param settings the settings of the run
 * @param faults the number of faults of each kind
 * @param starts the number of starts of processes
 * @param chaosCounters the figures
 * @param checked the extent of the oracle's check
 * @param problems the problems that were found, in words; empty if the run is clean
 */
record ChaosReport(
        ChaosSettings settings,
        Map<FaultKind, Integer> faults,
        Starts starts,
        ChaosCounters chaosCounters,
        Checked checked,
        List<String> problems) {

    private static final int MAX_SHOWN = 30;

    /**
     * The number of starts of processes.
     *
     * @param server of the server
     * @param store of the processes of its store, by name
     */
    record Starts(int server, Map<String, Integer> store) {
        Starts {
            store = Map.copyOf(store);
        }
    }

    ChaosReport {
        problems = List.copyOf(problems);
    }

    boolean isClean() {
        return problems.isEmpty();
    }

    /** Returns the report for humans. */
    List<String> lines(Path history) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("verdict:     " + (isClean() ? "clean" : "NOT CLEAN"));
        problems.stream().limit(MAX_SHOWN).forEach(problem -> lines.add("    " + problem.replace("\n", "\n    ")));
        if (problems.size() > MAX_SHOWN) {
            lines.add("    ... and " + (problems.size() - MAX_SHOWN) + " more");
        }
        lines.add("checked:     %d tasks (%d undecided), %d leases, %d atomic updates, %d queue sizes"
                .formatted(checked.tasks(), checked.undecided(), checked.grants(), checked.updates(), checked.reads()));
        lines.add("calls:       " + chaosCounters.all());
        chaosCounters.methods().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> lines.add("    %-10s %s".formatted(entry.getKey(), entry.getValue())));
        if (!chaosCounters.errors().isEmpty()) {
            lines.add("errors:      " + counts(chaosCounters.errors()));
        }
        lines.add("faults:      "
                + counts(faults.entrySet().stream()
                        .collect(Collectors.toMap(entry -> entry.getKey().word(), Map.Entry::getValue))));
        lines.add("tokens:      %d, handed off %d times".formatted(settings.tokens(), chaosCounters.handOffs()));
        lines.add("server:      started %d times; longest outage for all clients %s"
                .formatted(starts.server(), Spans.text(chaosCounters.silence())));
        if (!starts.store().isEmpty()) {
            lines.add("store:       started " + counts(starts.store()));
        }
        lines.add("history:     " + history);
        lines.add(
                "repeat:      ./taskmaster chaos --store %s --minutes %s --seed %d (the same faults; thread timing differs)"
                        .formatted(settings.store().word(), minutes(), settings.seed()));
        return lines;
    }

    /** Returns the length in the form in which the command takes it. */
    private String minutes() {
        return BigDecimal.valueOf(settings.length().toMillis())
                .divide(BigDecimal.valueOf(60_000), MathContext.DECIMAL32)
                .stripTrailingZeros()
                .toPlainString();
    }

    private static String counts(Map<String, Integer> counts) {
        return counts.isEmpty()
                ? "none"
                : counts.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining(", "));
    }
}
