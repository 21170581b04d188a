package io.taskmaster.harness.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A main program that tests whether an HBase takes work, run with HBase's own class path and settings.
 *
 * <p>It takes work if all region servers are there, every region of every table can be read, and a table can be
 * created, written and dropped. The program prints what it waits for, a line each time that changes. It ends with
 * status 0 once it waits for nothing, or with 1 when its time is up.
 */
final class Probe {

    private static final TableName TABLE = TableName.valueOf("taskmaster-probe");
    private static final byte[] NAME = "p".getBytes(UTF_8);
    private static final byte[] FIRST_ROW = {0};
    private static final long POLL_MILLIS = 200;

    private final int regionServers;
    private final long deadlineNanos;
    private String stage = "";
    private String reported = "";

    private Probe(int regionServers, long limitMillis) {
        this.regionServers = regionServers;
        this.deadlineNanos = System.nanoTime() + limitMillis * 1_000_000;
    }

    /** @param arguments the number of region servers, and the limit in milliseconds */
    public static void main(String[] arguments) throws InterruptedException {
        Probe probe = new Probe(Integer.parseInt(arguments[0]), Long.parseLong(arguments[1]));
        boolean ready = probe.isReadyInTime();
        // The client's threads are not closed: that takes longer than all the calls.
        Runtime.getRuntime().halt(ready ? 0 : 1);
    }

    private boolean isReadyInTime() throws InterruptedException {
        Configuration settings = impatient();
        while (hasTime()) {
            stage = "ZooKeeper";
            try (Connection connection = ConnectionFactory.createConnection(settings);
                    Admin admin = connection.getAdmin()) {
                return isReadyInTime(connection, admin);
            } catch (IOException e) {
                waitAfter(e);
            }
        }
        return false;
    }

    private boolean isReadyInTime(Connection connection, Admin admin) throws InterruptedException {
        while (hasTime()) {
            try {
                stage = "the master";
                admin.listNamespaces();
                stage = "region servers";
                requireRegionServers(admin);
                stage = "regions";
                readEveryRegion(connection, admin);
                stage = "a table";
                makeWriteAndDrop(connection, admin);
                return true;
            } catch (IOException e) {
                connection.clearRegionLocationCache();
                waitAfter(e);
            }
        }
        return false;
    }

    private boolean hasTime() {
        return System.nanoTime() - deadlineNanos < 0;
    }

    private void waitAfter(IOException failure) throws InterruptedException {
        String message =
                String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        String awaited = "%s (%s: %s)".formatted(stage, failure.getClass().getSimpleName(), message);
        if (!awaited.equals(reported)) {
            reported = awaited;
            System.out.println(awaited);
        }
        Thread.sleep(POLL_MILLIS);
    }

    private static Configuration impatient() {
        Configuration settings = HBaseConfiguration.create();
        settings.setInt("hbase.client.retries.number", 1);
        settings.setInt("hbase.client.pause", 50);
        settings.setInt("hbase.rpc.timeout", 5_000);
        settings.setInt("hbase.client.operation.timeout", 10_000);
        settings.setInt("hbase.client.meta.operation.timeout", 10_000);
        settings.setInt("zookeeper.recovery.retry", 1);
        return settings;
    }

    private void requireRegionServers(Admin admin) throws IOException {
        int live = admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.SERVERS_NAME))
                .getServersName()
                .size();
        if (live < regionServers) {
            throw new IOException("%d of %d".formatted(live, regionServers));
        }
    }

    private static void readEveryRegion(Connection connection, Admin admin) throws IOException {
        for (TableName name : admin.listTableNames()) {
            if (admin.isTableEnabled(name)) {
                try (Table table = connection.getTable(name);
                        RegionLocator regions = connection.getRegionLocator(name)) {
                    for (byte[] start : regions.getStartKeys()) {
                        table.exists(new Get(start.length == 0 ? FIRST_ROW : start));
                    }
                }
            }
        }
    }

    private static void makeWriteAndDrop(Connection connection, Admin admin) throws IOException {
        if (!admin.tableExists(TABLE)) {
            admin.createTable(TableDescriptorBuilder.newBuilder(TABLE)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(NAME))
                    .build());
        } else if (admin.isTableDisabled(TABLE)) {
            admin.enableTable(TABLE);
        }
        try (Table table = connection.getTable(TABLE)) {
            table.put(new Put(NAME).addColumn(NAME, NAME, NAME));
        }
        admin.disableTable(TABLE);
        admin.deleteTable(TABLE);
    }
}
