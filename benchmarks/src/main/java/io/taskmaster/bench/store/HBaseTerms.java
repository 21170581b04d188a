package io.taskmaster.bench.store;

import com.google.common.base.Ascii;
import com.google.common.base.Preconditions;
import io.taskmaster.server.store.hbase.settings.DurabilityLevel;
import org.apache.hadoop.hbase.client.Durability;

/**
 * The use of an HBase, the same for servers and for raw batches. Immutable.
 *
 * @param isSynced whether an acknowledged write is on the disks of the data nodes; otherwise it may be only in their
 *     memory
 * @param regions the number of regions of each table
 * @param prefix the prefix of the names of all tables, used by no other run
 */
public record HBaseTerms(boolean isSynced, int regions, String prefix) {

    /** The number of partitions of a server with default settings: a table cannot have more regions. */
    private static final int MAX_REGIONS = 256;

    public HBaseTerms {
        Preconditions.checkArgument(
                regions > 0 && regions <= MAX_REGIONS, "regions: %s (expected: 1 to %s)", regions, MAX_REGIONS);
    }

    /** The durability of raw puts: the same as {@link #durable} of a server. */
    Durability durability() {
        return isSynced ? Durability.FSYNC_WAL : Durability.SYNC_WAL;
    }

    /** The value of the server's setting for it. */
    String durable() {
        return Ascii.toLowerCase((isSynced ? DurabilityLevel.FSYNC : DurabilityLevel.SYNC).name());
    }
}
