package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.UnknownLayoutException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Whether a table keeps what we store, and shows it as we count on it. Timestamps of our cells are not times ({@link Timestamps}): to a table
 * that lets cells expire, all of ours are from the year 1970. How many versions it keeps does not matter: what is not the newest is not asked
 * for. Stateless.
 */
final class FamilyCheck {

    private FamilyCheck() {}

    /**
     * @throws UnknownLayoutException if it is no table for us
     */
    static void require(TableName name, TableDescriptor table) {
        ColumnFamilyDescriptor family = table.getColumnFamily(Columns.family());
        if (family == null) {
            throw new UnknownLayoutException(
                    "table " + name
                            + ": no column family c (expected: a table of TaskMaster, or none; hbase.table-prefix names others)");
        }
        requireSame(name, "TTL", family.getTimeToLive() == HConstants.FOREVER, family.getTimeToLive(), "FOREVER");
        KeepDeletedCells keep = family.getKeepDeletedCells();
        requireSame(name, "KEEP_DELETED_CELLS", keep == KeepDeletedCells.FALSE, keep, "FALSE");
        requireSame(name, "NEW_VERSION_BEHAVIOR", !family.isNewVersionBehavior(), true, "false");
    }

    private static void requireSame(TableName table, String attribute, boolean same, Object found, String expected) {
        if (!same) {
            throw new UnknownLayoutException(
                    "table %s: family c has %s => %s (expected: %s; alter '%s', {NAME => 'c', %s => '%s'} before anything is stored there)"
                            .formatted(table, attribute, found, expected, table, attribute, expected));
        }
    }
}
