package io.taskmaster.server.store.hbase;

import java.time.Duration;

/**
 * How much is on its way to HBase or Bigtable, and for how long. Immutable.
 *
 * @param startTimeout how long opening waits
 * @param callTimeout after it, nobody knows what became of a call
 * @param readTimeout how long a read is tried before who asks is told, who tries again: short for HBase, whose client sleeps ever longer
 *     between tries, ten seconds between the eighth and the ninth, while HBase may be back
 * @param inFlightBytes what may be on its way or wait for its batch; beyond it, operations are refused
 * @param inFlightRows likewise for rows that are asked for; a scan counts as one. An update may ask for 20,000
 * @param callsInFlight calls out at once, of those that look before they change, and of reads, each; others wait here
 * @param batchBytes the largest batch, give or take a row
 * @param batchesInFlight of a slice of a table that is busy alone; each may always have one; what comes meanwhile gathers into the next
 */
public record StoreLimits(
        Duration startTimeout,
        Duration callTimeout,
        Duration readTimeout,
        long inFlightBytes,
        int inFlightRows,
        int callsInFlight,
        int batchBytes,
        int batchesInFlight) {

    public static final StoreLimits HBASE = new StoreLimits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(4),
            128L << 20,
            1 << 20,
            100,
            2 << 20,
            4);

    /** Its client does not sleep for long. */
    public static final StoreLimits BIGTABLE = HBASE.withTimeouts(HBASE.callTimeout, Duration.ofSeconds(20));

    public StoreLimits {
        requirePositive("startTimeout", startTimeout);
        requirePositive("callTimeout", callTimeout);
        requirePositive("readTimeout", readTimeout);
        requirePositive("inFlightBytes", inFlightBytes);
        requirePositive("inFlightRows", inFlightRows);
        requirePositive("callsInFlight", callsInFlight);
        requirePositive("batchBytes", batchBytes);
        requirePositive("batchesInFlight", batchesInFlight);
    }

    /** The same with other timeouts of calls and of reads. */
    public StoreLimits withTimeouts(Duration ofCalls, Duration ofReads) {
        return new StoreLimits(
                startTimeout,
                ofCalls,
                ofReads,
                inFlightBytes,
                inFlightRows,
                callsInFlight,
                batchBytes,
                batchesInFlight);
    }

    private static void requirePositive(String name, Duration value) {
        if (value.toMillis() < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: at least a millisecond)");
        }
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: at least 1)");
        }
    }
}
