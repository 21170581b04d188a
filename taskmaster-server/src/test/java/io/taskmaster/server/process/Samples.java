package io.taskmaster.server.process;

import java.util.Arrays;

/** The latencies of calls, one by one, in nanoseconds. Single-threaded. */
final class Samples {

    private long[] nanos = new long[1024];
    private int count;

    void add(long took) {
        ensureCapacity(1);
        nanos[count++] = took;
    }

    void addAll(Samples others) {
        ensureCapacity(others.count);
        System.arraycopy(others.nanos, 0, nanos, count, others.count);
        count += others.count;
    }

    int count() {
        return count;
    }

    /**
     * Returns the latency that this share of the calls, in percent, did not exceed. There must be at least one call.
     *
     * @return milliseconds
     */
    double percentileMillis(double percent) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(percent / 100 * count);
        return sorted[Math.max(rank, 1) - 1] / 1e6;
    }

    private void ensureCapacity(int more) {
        if (count + more > nanos.length) {
            nanos = Arrays.copyOf(nanos, Math.max(count + more, 2 * nanos.length));
        }
    }
}
