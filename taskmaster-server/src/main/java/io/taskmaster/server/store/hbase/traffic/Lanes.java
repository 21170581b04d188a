package io.taskmaster.server.store.hbase.traffic;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;

/**
 * Which calls stand in line behind each other. What is in the way of a call is mostly its region: one whose server hangs keeps every call
 * until it times out. So a lane is about a region, and no lane can take from another what that needs to go on ({@link Shares}).
 *
 * <pre>
 *   META, partition 0     a lane of its own: there is the claim, without which a node that lives would be taken for dead
 *   META, others          a lane per slice of the partitions, cut where the tables are
 *   TASKS, DELAYED, LOG   likewise, together
 * </pre>
 *
 * Immutable.
 *
 * @param partitions how many there are
 * @param slices of them
 */
public record Lanes(int partitions, int slices) {

    /** More would have too little each; then a lane is a few neighbouring regions. */
    private static final int MAX_SLICES = 16;

    /** For tables that are cut into so many regions. */
    public static Lanes of(int partitions, int regions) {
        return new Lanes(partitions, Math.min(regions, MAX_SLICES));
    }

    public int count() {
        return 1 + 2 * slices;
    }

    /** The lane of a row, from 0. */
    public int of(Table table, Bytes row) {
        if (table != Table.META) {
            return 1 + slices + slice(row);
        }
        return partition(row) == 0 ? 0 : 1 + slice(row);
    }

    /** The slice of a row, from 0: the last one has all that is beyond. */
    public int slice(Bytes row) {
        return (int) Math.min(slices - 1, ((partition(row) + 1L) * slices - 1) / partitions);
    }

    private static int partition(Bytes row) {
        int partition = 0;
        for (int i = 0; i < Store.PARTITION_PREFIX_BYTES; i++) {
            partition = partition << Byte.SIZE | (i < row.size() ? row.at(i) : 0);
        }
        return partition;
    }
}
