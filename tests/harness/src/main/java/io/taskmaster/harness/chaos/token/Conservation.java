package io.taskmaster.harness.chaos.token;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The count of the tokens at the end of a run. Immutable.
 *
 * @param tokens the number of tokens
 * @param wrong the discrepancies, in words; empty if each token was in the last queue of its ring exactly once, and
 *     nothing else was left
 */
public record Conservation(int tokens, List<String> wrong) {

    private static final int MAX_SHOWN = 10;

    public Conservation {
        wrong = List.copyOf(wrong);
    }

    /**
     * Counts the tokens.
     *
     * @param found the labels of all tasks in the last queues
     * @param leftovers the tasks that were left after those were taken out, in words
     */
    static Conservation of(int tokens, List<String> found, List<String> leftovers) {
        Map<String, Integer> times = new TreeMap<>();
        for (int token = 0; token < tokens; token++) {
            times.put(TokenRing.label(token), 0);
        }
        List<String> unexpected = new ArrayList<>();
        for (String label : found) {
            if (times.computeIfPresent(label, (_, count) -> count + 1) == null) {
                unexpected.add(label);
            }
        }
        List<String> wrong = new ArrayList<>();
        report(
                wrong,
                "lost",
                times.entrySet().stream().filter(entry -> entry.getValue() == 0).map(Map.Entry::getKey));
        report(
                wrong,
                "duplicated",
                times.entrySet().stream()
                        .filter(entry -> entry.getValue() > 1)
                        .map(entry -> entry.getKey() + " (" + entry.getValue() + " times)"));
        report(wrong, "unexpected", unexpected.stream());
        report(wrong, "left over", leftovers.stream());
        return new Conservation(tokens, wrong);
    }

    private static void report(List<String> wrong, String kind, Stream<String> labels) {
        List<String> all = labels.toList();
        if (!all.isEmpty()) {
            String more = all.size() > MAX_SHOWN ? ", ..." : "";
            wrong.add("%d %s: %s%s"
                    .formatted(
                            all.size(),
                            kind,
                            String.join(", ", all.subList(0, Math.min(MAX_SHOWN, all.size()))),
                            more));
        }
    }
}
