package io.taskmaster.server.store.hbase;

import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.settings.TableSettings;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;

/**
 * The handles of the tables, two for each. One for writing makes each call once, since the client cannot decide to
 * retry an operation that may have been applied. One for reading retries until its timeout. Thread-safe.
 */
final class Tables {

    private final Map<Table, AsyncTable<AdvancedScanResultConsumer>> writing = new EnumMap<>(Table.class);
    private final Map<Table, AsyncTable<AdvancedScanResultConsumer>> reading = new EnumMap<>(Table.class);

    Tables(HBaseConnections hBaseConnections, TableSettings settings) {
        long callMillis = settings.limits().callTimeout().toMillis();
        long readMillis = settings.limits().readTimeout().toMillis();
        for (Table table : Table.values()) {
            TableName name = name(settings.tablePrefix(), table);
            writing.put(
                    table,
                    hBaseConnections
                            .writing()
                            .getTableBuilder(name)
                            .setMaxAttempts(1)
                            .setRpcTimeout(callMillis, TimeUnit.MILLISECONDS)
                            .setWriteRpcTimeout(callMillis, TimeUnit.MILLISECONDS)
                            .setOperationTimeout(callMillis, TimeUnit.MILLISECONDS)
                            .build());
            reading.put(
                    table,
                    hBaseConnections
                            .reading()
                            .getTableBuilder(name)
                            .setReadRpcTimeout(Math.min(callMillis, readMillis), TimeUnit.MILLISECONDS)
                            .setOperationTimeout(readMillis, TimeUnit.MILLISECONDS)
                            .setScanTimeout(readMillis, TimeUnit.MILLISECONDS)
                            .build());
        }
    }

    static TableName name(String prefix, Table table) {
        return TableName.valueOf(prefix + table.name().toLowerCase(Locale.ROOT));
    }

    AsyncTable<AdvancedScanResultConsumer> forWriting(Table table) {
        return of(writing, table);
    }

    AsyncTable<AdvancedScanResultConsumer> forReading(Table table) {
        return of(reading, table);
    }

    private static AsyncTable<AdvancedScanResultConsumer> of(
            Map<Table, AsyncTable<AdvancedScanResultConsumer>> handles, Table table) {
        AsyncTable<AdvancedScanResultConsumer> handle = handles.get(table);
        if (handle == null) {
            throw new IllegalStateException("table: " + table + " (expected: a table that existed at the start)");
        }
        return handle;
    }
}
