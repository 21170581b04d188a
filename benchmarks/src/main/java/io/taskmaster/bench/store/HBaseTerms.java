package io.taskmaster.bench.store;

import com.google.common.base.Ascii;
import com.google.common.base.Preconditions;
import io.taskmaster.server.store.hbase.Durable;
import org.apache.hadoop.hbase.client.Durability;

/**
 * How an HBase is used: the same for servers and for raw batches. Immutable.
 *
 * @param isSynced whether what is acknowledged is on the disks of the data nodes; else it may be in their memory only
 * @param regions that each table is cut into
 * @param prefix before the names of all tables: nobody else's
 */
public record HBaseTerms(boolean isSynced, int regions, String prefix) {

    /** As many as a server has partitions that is not told otherwise: there can be no more regions. */
    private static final int MAX_REGIONS = 256;

    public HBaseTerms {
        Preconditions.checkArgument(
                regions > 0 && regions <= MAX_REGIONS, "regions: %s (expected: 1 to %s)", regions, MAX_REGIONS);
    }

    /** What raw puts ask for: the same as {@link #durable} of a server. */
    Durability durability() {
        return isSynced ? Durability.FSYNC_WAL : Durability.SYNC_WAL;
    }

    /** The server's setting for it. */
    String durable() {
        return Ascii.toLowerCase((isSynced ? Durable.FSYNC : Durable.SYNC).name());
    }
}
