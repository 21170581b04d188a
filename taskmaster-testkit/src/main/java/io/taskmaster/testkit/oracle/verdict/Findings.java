package io.taskmaster.testkit.oracle.verdict;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A collector of findings, with a bound for each promise: a single fault can break a promise for thousands of tasks.
 * Single-threaded.
 */
public final class Findings {

    private static final int MAX_OF_A_PROMISE = 20;

    private final Map<Promise, List<Finding>> byPromise = new LinkedHashMap<>();

    public void add(Promise promise, long call, String sentence) {
        add(new Finding(promise, sentence, List.of(call)));
    }

    public void add(Finding finding) {
        List<Finding> same = byPromise.computeIfAbsent(finding.promise(), promise -> new ArrayList<>());
        if (same.size() < MAX_OF_A_PROMISE) {
            same.add(finding);
        }
    }

    public List<Finding> all() {
        return byPromise.values().stream().flatMap(List::stream).toList();
    }
}
