package io.taskmaster.bench.load;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * A histogram of latencies, to three significant digits, from a nanosecond to ten minutes. Longer latencies count as
 * ten minutes. Single-threaded: owned by the lane or row that records.
 */
public final class Latencies {

    private static final long HIGHEST_NANOS = Duration.ofMinutes(10).toNanos();
    private static final int DIGITS = 3;

    private final Histogram histogram = new Histogram(HIGHEST_NANOS, DIGITS);

    /** Returns a histogram of a few samples, for rows that measure an event a few times. */
    public static Latencies of(Duration... samples) {
        Latencies latencies = new Latencies();
        for (Duration sample : samples) {
            latencies.record(sample.toNanos());
        }
        return latencies;
    }

    /** Returns a copy of a histogram in nanoseconds that may have another range. */
    public static Latencies of(Histogram nanos) {
        Latencies latencies = new Latencies();
        latencies.histogram.add(nanos);
        return latencies;
    }

    /** Adds one latency. */
    public void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos, 1, HIGHEST_NANOS));
    }

    /** Adds all samples of another histogram, as if they had been recorded here. */
    public void add(Latencies other) {
        histogram.add(other.histogram);
    }

    /** The number of recorded latencies. */
    public long count() {
        return histogram.getTotalCount();
    }

    /** The latency that this percentage of operations did not exceed; zero if none was recorded. */
    public Duration percentile(double percent) {
        return Duration.ofNanos(count() == 0 ? 0 : histogram.getValueAtPercentile(percent));
    }

    /** The share of operations that took no longer than this limit, from 0 to 1; 1 if none was recorded. */
    public double shareWithin(Duration limit) {
        return count() == 0 ? 1 : histogram.getPercentileAtOrBelowValue(limit.toNanos()) / 100;
    }

    /** The longest latency; zero if none was recorded. */
    public Duration max() {
        return Duration.ofNanos(histogram.getMaxValue());
    }
}
