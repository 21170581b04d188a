package io.taskmaster.bench.report;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A comparison of rows with their limits, which are rows of the same run, and with peers. All ratios are of tasks per
 * second. Immutable.
 */
public final class Comparison {

    private final Map<String, Row> rows = new HashMap<>();

    /** Prepares comparisons within these rows: limits are looked up among them. */
    public Comparison(Collection<Row> rows) {
        rows.forEach(row -> this.rows.put(row.name(), row));
    }

    /**
     * Returns the row's share of its limit, 1 being all of it; empty if it has none or the limit was not part of the
     * run.
     */
    public OptionalDouble ofLimit(Row row) {
        return row.limit()
                .map(rows::get)
                .map(limit -> ratio(row, limit.measurement().tasksPerSecond()))
                .orElse(OptionalDouble.empty());
    }

    /**
     * Returns the ratio to the best durable peer, measured elsewhere; empty if no peer was measured in the same
     * discipline.
     */
    public OptionalDouble ofPeer(Row row) {
        return row.peer()
                .map(discipline -> ratio(row, Peers.bestDurable(discipline).rate(discipline)))
                .orElse(OptionalDouble.empty());
    }

    private static OptionalDouble ratio(Row row, double reference) {
        return reference == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(row.measurement().tasksPerSecond() / reference);
    }
}
