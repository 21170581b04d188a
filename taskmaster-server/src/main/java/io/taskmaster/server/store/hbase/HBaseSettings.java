package io.taskmaster.server.store.hbase;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Where HBase is and how much it may be asked for. Immutable.
 *
 * @param zookeeper {@code host:port}, more of them with commas; empty: as {@code site} says
 * @param site an {@code hbase-site.xml} with anything that HBase's client knows, Kerberos among it
 * @param tablePrefix before the names of the tables; with a namespace: {@code namespace:prefix}
 * @param partitions how many partitions there are, between which tables are cut that are missing and made
 * @param regions and into how many regions
 * @param durable when something counts as written
 * @param limits of what is on its way
 */
public record HBaseSettings(
        Optional<String> zookeeper,
        Optional<Path> site,
        String tablePrefix,
        int partitions,
        int regions,
        Durable durable,
        Limits limits)
        implements TableSettings {

    /**
     * How much is on its way, and for how long. Immutable.
     *
     * @param startTimeout how long opening waits for HBase
     * @param callTimeout after it, nobody knows what became of a call
     * @param readTimeout how long a read is tried all told: regions move and servers restart in less
     * @param inFlightBytes what may be on its way or wait for its batch; beyond it, operations are refused
     * @param inFlightRows likewise for rows that are asked for; a scan counts as one. An update may ask for 20,000
     * @param callsInFlight calls out at once, of those that look before they change, and of reads, each; others wait here
     * @param batchBytes the largest batch, give or take a row
     * @param batchesInFlight per table, split between its slices, of which each has one; what comes meanwhile gathers into the next
     */
    public record Limits(
            Duration startTimeout,
            Duration callTimeout,
            Duration readTimeout,
            long inFlightBytes,
            int inFlightRows,
            int callsInFlight,
            int batchBytes,
            int batchesInFlight) {

        public static final Limits DEFAULTS = new Limits(
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(20),
                128L << 20,
                1 << 20,
                100,
                2 << 20,
                4);

        public Limits {
            requirePositive("inFlightBytes", inFlightBytes);
            requirePositive("inFlightRows", inFlightRows);
            requirePositive("callsInFlight", callsInFlight);
            requirePositive("batchBytes", batchBytes);
            requirePositive("batchesInFlight", batchesInFlight);
        }
    }

    public HBaseSettings {
        if (regions < 1 || regions > partitions) {
            throw new IllegalArgumentException("regions: " + regions + " (expected: 1 to " + partitions + ")");
        }
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: at least 1)");
        }
    }
}
