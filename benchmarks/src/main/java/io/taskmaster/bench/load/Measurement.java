package io.taskmaster.bench.load;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a load measured. Rates and latencies are those of operations that completed within the measured time; errors and the total of
 * tasks are those of the whole run, warm-up and draining included, so that nothing is hidden.
 *
 * @param operations that succeeded within the measured time
 * @param tasks of those operations
 * @param totalTasks of all operations that succeeded, whenever
 * @param errors how many operations failed, by reason
 * @param length of the measured time
 */
public record Measurement(
        Latencies latencies, long operations, long tasks, long totalTasks, Map<String, Long> errors, Duration length) {

    /** Copies the errors. */
    public Measurement {
        errors = Map.copyOf(errors);
    }

    static Measurement of(Iterable<Tally> tallies, long unanswered, Duration length) {
        Latencies latencies = new Latencies();
        Map<String, Long> errors = new TreeMap<>();
        long tasks = 0;
        long totalTasks = 0;
        for (Tally tally : tallies) {
            latencies.add(tally.latencies());
            tally.errors().forEach((reason, count) -> errors.merge(reason, count, Long::sum));
            tasks += tally.measuredTasks();
            totalTasks += tally.totalTasks();
        }
        if (unanswered > 0) {
            errors.put("never answered", unanswered);
        }
        return new Measurement(latencies, latencies.count(), tasks, totalTasks, errors, length);
    }

    /** What happened once, and how long it took each time. */
    public static Measurement ofSamples(Duration... samples) {
        Duration sum = Duration.ZERO;
        for (Duration sample : samples) {
            sum = sum.plus(sample);
        }
        return new Measurement(Latencies.of(samples), samples.length, samples.length, samples.length, Map.of(), sum);
    }

    /** The same with one more error, found after the fact. */
    public Measurement withError(String reason) {
        Map<String, Long> more = new TreeMap<>(errors);
        more.merge(reason, 1L, Long::sum);
        return new Measurement(latencies, operations, tasks, totalTasks, more, length);
    }

    /** Operations that failed, of whatever reason. */
    public long errorCount() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Operations per second of the measured time. */
    public double operationsPerSecond() {
        return perSecond(operations);
    }

    /** Tasks per second of the measured time. */
    public double tasksPerSecond() {
        return perSecond(tasks);
    }

    private double perSecond(long count) {
        return length.isZero() ? 0 : count / (length.toNanos() / 1e9);
    }
}
