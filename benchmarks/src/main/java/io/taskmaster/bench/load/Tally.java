package io.taskmaster.bench.load;

import java.util.Map;
import java.util.TreeMap;

/**
 * The counters of one connection. Single-threaded: owned by the event loop of its connection, and read by other threads
 * only after that has ended.
 */
final class Tally {

    private final Latencies latencies = new Latencies();
    private final Map<String, Long> errors = new TreeMap<>();
    private long measuredTasks;
    private long totalTasks;

    void succeeded(long latencyNanos, int tasks, boolean measured) {
        totalTasks += tasks;
        if (measured) {
            measuredTasks += tasks;
            latencies.record(latencyNanos);
        }
    }

    void failed(String reason) {
        errors.merge(reason, 1L, Long::sum);
    }

    Latencies latencies() {
        return latencies;
    }

    Map<String, Long> errors() {
        return errors;
    }

    long measuredTasks() {
        return measuredTasks;
    }

    long totalTasks() {
        return totalTasks;
    }
}
