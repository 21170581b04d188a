package io.taskmaster.bench.store;

import io.taskmaster.bench.load.ClosedLoop;
import io.taskmaster.bench.load.Measurement;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;

/**
 * Puts to a table of HBase through its own asynchronous client, with as many calls in flight as a server has requests:
 * the limit that HBase sets for the server. The rows of a batch are neighbours, so HBase writes them to its log
 * together; batches go to the regions round-robin. Each put is acknowledged with the given durability. Single-threaded:
 * owned by the run.
 */
final class RawHBase implements RawStore {

    private static final int KEY_BYTES = 24;

    private final HBaseClient client;
    private final TableName name;
    private final AsyncTable<?> table;
    private final int regions;
    private final Durability durability;

    private RawHBase(HBaseClient client, TableName name, AsyncTable<?> table, int regions, Durability durability) {
        this.client = client;
        this.name = name;
        this.table = table;
        this.regions = regions;
        this.durability = durability;
    }

    /** Creates the table. Blocks. */
    static RawHBase create(HBaseClient client, TableName name, int regions, Durability durability) {
        byte[][] splits = IntStream.range(1, regions)
                .mapToObj(region -> ByteBuffer.allocate(Short.BYTES)
                        .putShort(prefix(region, regions))
                        .array())
                .toArray(byte[][]::new);
        return new RawHBase(client, name, client.create(name, splits), regions, durability);
    }

    @Override
    public String unit(RawLoad load) {
        String puts = load.batch() == 1 ? "put" : "batch of %d puts".formatted(load.batch());
        return "one operation = one HBase %s, %s, %d under way".formatted(puts, durability, load.outstanding());
    }

    @Override
    public Measurement write(RawLoad load) throws InterruptedException {
        byte[] data = load.data().toByteArray();
        long[] batches = new long[1];
        return ClosedLoop.run(
                load.outstanding(),
                load.timing(),
                slot -> slot.when(
                        put(rows(load.batch(), batches[0]++, data)),
                        _ -> slot.succeeded(load.batch()),
                        failure -> slot.failed(HBaseClient.reason(failure))));
    }

    private CompletableFuture<Void> put(List<Put> rows) {
        return rows.size() == 1 ? table.put(rows.getFirst()) : table.putAll(rows);
    }

    private List<Put> rows(int count, long batch, byte[] data) {
        short prefix = prefix((int) (batch % regions), regions);
        return IntStream.range(0, count)
                .mapToObj(row -> {
                    byte[] key = new byte[KEY_BYTES];
                    ByteBuffer.wrap(key).putShort(0, prefix).putLong(KEY_BYTES - Long.BYTES, batch * count + row);
                    return new Put(key, true)
                            .addColumn(HBaseClient.FAMILY, HBaseClient.COLUMN, data)
                            .setDurability(durability);
                })
                .toList();
    }

    /**
     * Returns the prefix of the rows of a region, counted from 0: prefixes are spread evenly over the values of two
     * bytes.
     */
    private static short prefix(int region, int regions) {
        return (short) ((long) region * (1 << Short.SIZE) / regions);
    }

    @Override
    public void close() {
        client.drop(name);
    }
}
