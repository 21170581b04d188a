package io.taskmaster.integration.upgrade;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A copy of a server's tables in HBase, in a file. Each line of it is a cell: the table, and in hexadecimal row, column
 * and value, with the timestamp before the value. The first line has the id of a lease. Stateless.
 */
final class StoredTables {

    private static final List<String> TABLES = List.of("tasks", "delayed", "log", "meta");
    private static final byte[] FAMILY = "c".getBytes(UTF_8);
    private static final HexFormat HEX = HexFormat.of();
    private static final String LEASE = "lease ";

    private StoredTables() {}

    /**
     * Copies tables to a file.
     *
     * @param arguments the address of HBase's ZooKeeper, the prefix of the tables, a file with the id of the lease, and
     *     the file to write
     */
    public static void main(String[] arguments) throws IOException {
        String leaseId = Files.readString(Path.of(arguments[2]), UTF_8).strip();
        try (Connection connection = connect(arguments[0]);
                BufferedWriter out = new BufferedWriter(new OutputStreamWriter(
                        new GZIPOutputStream(Files.newOutputStream(Path.of(arguments[3]))), UTF_8))) {
            out.write(LEASE + leaseId + "\n");
            for (String name : TABLES) {
                write(connection, arguments[1], name, out);
            }
        }
    }

    private static void write(Connection connection, String prefix, String name, BufferedWriter out)
            throws IOException {
        try (Table table = connection.getTable(TableName.valueOf(prefix + name));
                ResultScanner rows = table.getScanner(new Scan())) {
            for (Result row : rows) {
                for (Cell cell : row.rawCells()) {
                    out.write("%s %s %s %d %s%n"
                            .formatted(
                                    name,
                                    HEX.formatHex(CellUtil.cloneRow(cell)),
                                    HEX.formatHex(CellUtil.cloneQualifier(cell)),
                                    cell.getTimestamp(),
                                    HEX.formatHex(CellUtil.cloneValue(cell))));
                }
            }
        }
    }

    /** Creates tables and puts the cells of a file into them. Returns the id of the lease. */
    static long restore(Path file, String zookeeper, String prefix)
            throws IOException, InterruptedException, ExecutionException {
        try (Connection connection = connect(zookeeper);
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), UTF_8))) {
            List<String> lines = in.lines().toList();
            create(connection, prefix);
            for (String name : TABLES) {
                put(connection, TableName.valueOf(prefix + name), puts(name, lines));
            }
            return Long.parseLong(lines.getFirst().substring(LEASE.length()));
        }
    }

    /** Creates all tables at the same time, which takes as long as one. */
    private static void create(Connection connection, String prefix)
            throws IOException, InterruptedException, ExecutionException {
        try (Admin admin = connection.getAdmin()) {
            List<Future<Void>> created = new ArrayList<>();
            for (String name : TABLES) {
                created.add(admin.createTableAsync(TableDescriptorBuilder.newBuilder(TableName.valueOf(prefix + name))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                        .build()));
            }
            for (Future<Void> table : created) {
                table.get();
            }
        }
    }

    private static List<Put> puts(String table, List<String> lines) {
        List<Put> puts = new ArrayList<>();
        for (String line : lines) {
            String[] fields = line.split(" ", -1);
            if (fields[0].equals(table)) {
                puts.add(new Put(HEX.parseHex(fields[1]))
                        .addColumn(
                                FAMILY, HEX.parseHex(fields[2]), Long.parseLong(fields[3]), HEX.parseHex(fields[4])));
            }
        }
        return puts;
    }

    private static void put(Connection connection, TableName name, List<Put> puts) throws IOException {
        try (Table table = connection.getTable(name)) {
            table.put(puts);
        }
    }

    private static Connection connect(String zookeeper) throws IOException {
        Configuration settings = HBaseConfiguration.create();
        settings.set(HConstants.ZOOKEEPER_QUORUM, zookeeper);
        return ConnectionFactory.createConnection(settings);
    }
}
