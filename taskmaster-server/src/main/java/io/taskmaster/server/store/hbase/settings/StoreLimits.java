package io.taskmaster.server.store.hbase.settings;

import java.time.Duration;

/**
 * The bounds on operations in flight to HBase or Bigtable, and their timeouts. Immutable.
 *
 * @param startTimeout the time that opening waits for the store
 * @param callTimeout the time after which the outcome of a call is unknown
 * @param readTimeout the time for which the client retries a read before it fails; the caller then retries. Short for
 *     HBase, whose client sleeps ever longer between tries, ten seconds between the eighth and the ninth, while HBase
 *     may be back
 * @param inFlightBytes the maximum of bytes in flight or waiting for their batch; beyond it, operations are refused
 * @param inFlightRows the same for rows that are read; a scan counts as one. An update may read 20,000
 * @param callsInFlight the maximum number of concurrent calls, of conditional changes and of reads, each; others wait
 * @param batchBytes the maximum size of a batch, exceeded by a row at most
 * @param batchesInFlight the maximum number of batches in flight of a slice of a table that is busy alone; each slice
 *     may always have one. Changes that arrive meanwhile gather into the next one
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

    /** The limits for Bigtable, whose client does not sleep for long between tries. */
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

    /** Returns the same limits with other timeouts of calls and of reads. */
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
