package io.taskmaster.server.store.hbase.traffic;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;

/**
 * The assignment of calls to lanes, which queue and are bounded separately. A call mostly waits for its region: a
 * region whose server hangs delays every call to it until the timeout. So a lane is about a region, and no lane can
 * take the share that another needs to go on ({@link LaneShares}).
 *
 * <pre>
 *   META, partition 0     a lane of its own: it holds the claim, without which a live node would be taken for dead
 *   META, others          a lane per slice of the partitions, split where the tables are
 *   TASKS, DELAYED, LOG   likewise, together
 * </pre>
 *
 * <p>Immutable.
 *
 * @param partitions the number of partitions
 * @param slices the number of slices of them
 */
public record CallLanes(int partitions, int slices) {

    /**
     * The maximum number of slices, since more would get too small a share each. With more regions a lane is a few
     * adjacent regions.
     */
    private static final int MAX_SLICES = 16;

    /** Returns the lanes for tables of that many regions. */
    public static CallLanes of(int partitions, int regions) {
        return new CallLanes(partitions, Math.min(regions, MAX_SLICES));
    }

    public int count() {
        return 1 + 2 * slices;
    }

    /** Returns the lane of a row, from 0. */
    public int of(Table table, Bytes row) {
        if (table != Table.META) {
            return 1 + slices + slice(row);
        }
        return partition(row) == 0 ? 0 : 1 + slice(row);
    }

    /** Returns the slice of a row, from 0. Rows beyond the last partition belong to the last slice. */
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
