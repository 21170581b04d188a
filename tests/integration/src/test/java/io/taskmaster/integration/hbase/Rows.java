package io.taskmaster.integration.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A table with a record of the rows that HBase has acknowledged, written through HBase's own client, which retries for
 * minutes. Thread-safe, except for writes.
 */
final class Rows implements AutoCloseable {

    private static final TableName NAME = TableName.valueOf("rows");
    private static final byte[] FAMILY = "f".getBytes(UTF_8);

    private final Connection connection;
    private final List<String> acknowledged = new CopyOnWriteArrayList<>();

    private Rows(Connection connection) {
        this.connection = connection;
    }

    /** Creates the table with two regions, unless it exists. */
    static Rows at(String zookeeper) throws IOException {
        Configuration settings = HBaseConfiguration.create();
        settings.set("hbase.zookeeper.quorum", zookeeper);
        settings.setInt("hbase.client.pause", 50);
        settings.setInt("hbase.client.retries.number", 100);
        settings.setInt("hbase.client.operation.timeout", 120_000);
        // By default, a call to a frozen region server waits for a minute.
        settings.setInt("hbase.rpc.timeout", 5_000);
        // By default, ten seconds without ZooKeeper are an error that the client does not retry.
        settings.setInt("zookeeper.registry.async.get.timeout", 120_000);
        Rows rows = new Rows(ConnectionFactory.createConnection(settings));
        try (Admin admin = rows.connection.getAdmin()) {
            if (!admin.tableExists(NAME)) {
                admin.createTable(
                        TableDescriptorBuilder.newBuilder(NAME)
                                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                                .build(),
                        new byte[][] {"m".getBytes(UTF_8)});
            }
        }
        return rows;
    }

    /** Writes two rows, one in each region. Blocks until they are durable. */
    void write() throws IOException {
        int number = acknowledged.size();
        try (Table table = connection.getTable(NAME)) {
            for (String row : List.of("a" + number, "z" + number)) {
                table.put(new Put(row.getBytes(UTF_8))
                        .addColumn(FAMILY, FAMILY, FAMILY)
                        .setDurability(Durability.FSYNC_WAL));
                acknowledged.add(row);
            }
        }
    }

    /** The rows that {@link #write} has written. */
    List<String> acknowledged() {
        return List.copyOf(acknowledged);
    }

    /** Returns the rows of the table. */
    List<String> read() throws IOException {
        List<String> rows = new ArrayList<>();
        try (Table table = connection.getTable(NAME);
                ResultScanner results = table.getScanner(new Scan())) {
            for (Result result : results) {
                rows.add(new String(result.getRow(), UTF_8));
            }
        }
        return rows;
    }

    /** Moves every region to another region server. */
    void swapServers() throws IOException {
        try (Admin admin = connection.getAdmin();
                RegionLocator regions = connection.getRegionLocator(NAME)) {
            for (HRegionLocation location : regions.getAllRegionLocations()) {
                ServerName other = admin.getRegionServers().stream()
                        .filter(server -> !server.equals(location.getServerName()))
                        .findFirst()
                        .orElseThrow();
                admin.move(location.getRegion().getEncodedNameAsBytes(), other);
            }
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
