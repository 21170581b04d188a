package io.taskmaster.bench.load;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of a load. Rates and latencies are those of operations that completed within the measured time. Errors and
 * the total of tasks are those of the whole run, warm-up and draining included, so that nothing is hidden. Immutable,
 * but for the histogram.
 *
 * @param operations the number of operations that succeeded within the measured time
 * @param tasks the number of tasks of those operations
 * @param totalTasks the number of tasks of all operations that succeeded, at any time of the run
 * @param errors the number of failed operations, by reason
 * @param length the measured time
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
            errors.put("no reply", unanswered);
        }
        return new Measurement(latencies, latencies.count(), tasks, totalTasks, errors, length);
    }

    /** Returns the measurement of an event that was timed a few times, one operation and one task per sample. */
    public static Measurement ofSamples(Duration... samples) {
        Duration sum = Duration.ZERO;
        for (Duration sample : samples) {
            sum = sum.plus(sample);
        }
        return new Measurement(Latencies.of(samples), samples.length, samples.length, samples.length, Map.of(), sum);
    }

    /** Returns this measurement with one more error, which a check found after the load. */
    public Measurement withError(String reason) {
        Map<String, Long> more = new TreeMap<>(errors);
        more.merge(reason, 1L, Long::sum);
        return new Measurement(latencies, operations, tasks, totalTasks, more, length);
    }

    /** The number of failed operations, over all reasons. */
    public long errorCount() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The operations per second of the measured time. */
    public double operationsPerSecond() {
        return perSecond(operations);
    }

    /** The tasks per second of the measured time. */
    public double tasksPerSecond() {
        return perSecond(tasks);
    }

    private double perSecond(long count) {
        return length.isZero() ? 0 : count / (length.toNanos() / 1e9);
    }
}
