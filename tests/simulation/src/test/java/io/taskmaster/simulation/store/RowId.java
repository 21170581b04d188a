package io.taskmaster.simulation.store;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Table;
import java.util.Arrays;
import java.util.Comparator;

/** A row of a table. Ordered. Immutable. */
record RowId(Table table, Bytes row) implements Comparable<RowId> {

    private static final Comparator<RowId> ORDER =
            Comparator.comparing(RowId::table).thenComparing(RowId::row);

    static RowId of(CellKey key) {
        return new RowId(key.table(), key.row());
    }

    /** Returns the smallest row behind another. */
    static Bytes after(Bytes row) {
        return Bytes.wrap(Arrays.copyOf(row.unsafeArray(), row.size() + 1));
    }

    @Override
    public int compareTo(RowId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return table + " " + Labels.of(row);
    }
}
