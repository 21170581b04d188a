package io.taskmaster.testkit.chaos.token;

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

    private static final int SHOWN = 10;

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
        List<String> strangers = new ArrayList<>();
        for (String label : found) {
            if (times.computeIfPresent(label, (_, count) -> count + 1) == null) {
                strangers.add(label);
            }
        }
        List<String> wrong = new ArrayList<>();
        say(
                wrong,
                "lost",
                times.entrySet().stream().filter(entry -> entry.getValue() == 0).map(Map.Entry::getKey));
        say(
                wrong,
                "duplicated",
                times.entrySet().stream()
                        .filter(entry -> entry.getValue() > 1)
                        .map(entry -> entry.getKey() + " (" + entry.getValue() + " times)"));
        say(wrong, "unexpected", strangers.stream());
        say(wrong, "left over", leftovers.stream());
        return new Conservation(tokens, wrong);
    }

    private static void say(List<String> wrong, String what, Stream<String> which) {
        List<String> all = which.toList();
        if (!all.isEmpty()) {
            String more = all.size() > SHOWN ? ", ..." : "";
            wrong.add("%d %s: %s%s"
                    .formatted(all.size(), what, String.join(", ", all.subList(0, Math.min(SHOWN, all.size()))), more));
        }
    }
}
