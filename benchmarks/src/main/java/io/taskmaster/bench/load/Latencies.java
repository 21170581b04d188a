package io.taskmaster.bench.load;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/** Latencies of operations, to three digits, from a nanosecond to ten minutes; longer ones count as ten minutes. Single-threaded. */
public final class Latencies {

    private static final long HIGHEST_NANOS = Duration.ofMinutes(10).toNanos();
    private static final int DIGITS = 3;

    private final Histogram histogram = new Histogram(HIGHEST_NANOS, DIGITS);

    /** Just one latency, for rows that happen once. */
    public static Latencies of(Duration... samples) {
        Latencies latencies = new Latencies();
        for (Duration sample : samples) {
            latencies.record(sample.toNanos());
        }
        return latencies;
    }

    /** Those in nanoseconds of a histogram of another range. */
    public static Latencies of(Histogram nanos) {
        Latencies latencies = new Latencies();
        latencies.histogram.add(nanos);
        return latencies;
    }

    /** Adds one latency. */
    public void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos, 1, HIGHEST_NANOS));
    }

    /** Adds all of another's: as if they had been recorded here. */
    public void add(Latencies other) {
        histogram.add(other.histogram);
    }

    /** How many were recorded. */
    public long count() {
        return histogram.getTotalCount();
    }

    /** The latency that this percentage of operations did not exceed; zero if there were none. */
    public Duration percentile(double percent) {
        return Duration.ofNanos(count() == 0 ? 0 : histogram.getValueAtPercentile(percent));
    }

    /** Which share of operations took no longer than this, from 0 to 1; 1 if there were none. */
    public double shareWithin(Duration limit) {
        return count() == 0 ? 1 : histogram.getPercentileAtOrBelowValue(limit.toNanos()) / 100;
    }

    /** The longest; zero if there were none. */
    public Duration max() {
        return Duration.ofNanos(histogram.getMaxValue());
    }
}
