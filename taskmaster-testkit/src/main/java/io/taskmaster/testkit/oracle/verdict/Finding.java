package io.taskmaster.testkit.oracle.verdict;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A promise that a history breaks, with the evidence. Immutable.
 *
 * @param sentence the violation, in a sentence for humans
 * @param calls the numbers of the calls that show it, ascending
 */
public record Finding(Promise promise, String sentence, List<Long> calls) {

    public Finding {
        calls = calls.stream().distinct().sorted().toList();
    }

    @Override
    public String toString() {
        return "%s: %s (calls %s)"
                .formatted(
                        promise, sentence, calls.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }
}
