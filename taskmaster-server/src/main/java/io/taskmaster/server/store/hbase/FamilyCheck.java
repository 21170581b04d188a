package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.UnknownLayoutException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * A check of existing tables: they must keep what TaskMaster stores, and return it in the expected order. The
 * timestamps of its cells are not times ({@link Timestamps}): to a table whose cells expire, all of them are from the
 * year 1970. The number of versions kept does not matter, since only the newest is read. Stateless.
 */
final class FamilyCheck {

    private FamilyCheck() {}

    /**
     * Checks a table.
     *
     * @throws UnknownLayoutException if the table is not suitable
     */
    static void require(TableName name, TableDescriptor table) {
        ColumnFamilyDescriptor family = table.getColumnFamily(HBaseColumns.family());
        if (family == null) {
            throw new UnknownLayoutException(
                    "table " + name
                            + ": no column family c (expected: a table of TaskMaster, or no table; set hbase.table-prefix to use other tables)");
        }
        requireSame(name, "TTL", family.getTimeToLive() == HConstants.FOREVER, family.getTimeToLive(), "FOREVER");
        KeepDeletedCells keep = family.getKeepDeletedCells();
        requireSame(name, "KEEP_DELETED_CELLS", keep == KeepDeletedCells.FALSE, keep, "FALSE");
        requireSame(name, "NEW_VERSION_BEHAVIOR", !family.isNewVersionBehavior(), true, "false");
    }

    private static void requireSame(TableName table, String attribute, boolean same, Object found, String expected) {
        if (!same) {
            throw new UnknownLayoutException(
                    "table %s: family c has %s => %s (expected: %s; alter '%s', {NAME => 'c', %s => '%s'} before any data is stored)"
                            .formatted(table, attribute, found, expected, table, attribute, expected));
        }
    }
}
