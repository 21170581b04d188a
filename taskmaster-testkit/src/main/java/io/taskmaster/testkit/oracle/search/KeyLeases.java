package io.taskmaster.testkit.oracle.search;

import java.util.Arrays;

/** The leases that may have taken a task: those of unknown outcome, and the ids of those that were seen. Immutable. */
final class KeyLeases {

    /** The times of invocation of leases of unknown outcome that may have taken the task, ascending. */
    private final long[] unseenTimes;

    /** The ids of all leases that a client saw, ascending. */
    private final long[] knownIds;

    KeyLeases(long[] unseenTimes, long[] knownIds) {
        this.unseenTimes = unseenTimes;
        this.knownIds = knownIds;
    }

    /** Returns the number of unobserved leases that may have taken the task by then. */
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

    boolean isUnknown(long leaseId) {
        return Arrays.binarySearch(knownIds, leaseId) < 0;
    }
}
