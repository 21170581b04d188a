package io.taskmaster.testkit.oracle;

import java.util.Arrays;

/** Who may have leased a task. Immutable. */
final class KeyLeases {

    /** When leases were invoked that may have taken the task without anybody being told, ascending. */
    private final long[] unseenTimes;

    /** The ids of all leases that somebody was told of, ascending. */
    private final long[] knownIds;

    KeyLeases(long[] unseenTimes, long[] knownIds) {
        this.unseenTimes = unseenTimes;
        this.knownIds = knownIds;
    }

    /** How many leases may have taken it by then without anybody being told. */
    int unseenBy(long micros) {
        int at = Arrays.binarySearch(unseenTimes, micros);
        if (at < 0) {
            return -at - 1;
        }
        int after = at;
        while (after < unseenTimes.length && unseenTimes[after] == micros) {
            after++;
        }
        return after;
    }

    boolean isUnheardOf(long leaseId) {
        return Arrays.binarySearch(knownIds, leaseId) < 0;
    }
}
