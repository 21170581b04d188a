package io.taskmaster.bench.report;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** Holds rows against their limits, which are rows of the same run, and against peers. All in tasks per second. Immutable. */
public final class Comparison {

    private final Map<String, Row> rows = new HashMap<>();

    /** Limits are looked up among these rows. */
    public Comparison(Collection<Row> rows) {
        rows.forEach(row -> this.rows.put(row.name(), row));
    }

    /** The row's share of its limit, 1 being all of it; empty if it has none or the limit was not part of the run. */
    public OptionalDouble ofLimit(Row row) {
        return row.limit()
                .map(rows::get)
                .map(limit -> ratio(row, limit.measurement().tasksPerSecond()))
                .orElse(OptionalDouble.empty());
    }

    /** How many times the best durable peer, measured elsewhere; empty if no peer was asked for the same. */
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
