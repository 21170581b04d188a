package io.taskmaster.bench.workload.queues;

import io.taskmaster.bench.load.ClosedLoop;
import io.taskmaster.bench.load.Latencies;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.load.Measurement;
import io.taskmaster.bench.load.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One of several probes that are measured alternately, a slice of 250 ms each, so that other load on the machine
 * affects all of them alike. Single-threaded: owned by the run.
 */
final class Side {

    private static final Duration SLICE = Duration.ofMillis(250);

    private final LatencyProbe latencyProbe;
    private final Map<String, Long> errors = new TreeMap<>();
    private Latencies latencies = new Latencies();
    private Duration length = Duration.ZERO;

    Side(LatencyProbe latencyProbe) {
        this.latencyProbe = latencyProbe;
    }

    /**
     * Measures probes alternately, with one call in flight per connection, each for the whole warm-up and the whole
     * measured time. Blocks.
     */
    static void measure(LoadConnections loadConnections, Timing timing, Side... sides) throws InterruptedException {
        runAlternately(loadConnections, timing.warmup(), sides);
        for (Side side : sides) {
            side.latencies = new Latencies();
            side.length = Duration.ZERO;
        }
        runAlternately(loadConnections, timing.measured(), sides);
    }

    /** Returns the measurement; its errors include those of the warm-up. */
    Measurement measurement() {
        long calls = latencies.count();
        return new Measurement(latencies, calls, calls, calls, errors, length);
    }

    private static void runAlternately(LoadConnections loadConnections, Duration each, Side... sides)
            throws InterruptedException {
        for (long slice = Math.ceilDiv(each.toMillis(), SLICE.toMillis()); slice > 0; slice--) {
            for (Side side : sides) {
                side.slice(loadConnections);
            }
        }
    }

    private void slice(LoadConnections loadConnections) throws InterruptedException {
        List<Stopwatch> watches = new ArrayList<>();
        long startedNanos = System.nanoTime();
        Measurement slice = ClosedLoop.run(
                loadConnections, loadConnections.all().size(), new Timing(Duration.ZERO, SLICE), loadConnection -> {
                    Stopwatch watch = new Stopwatch();
                    watches.add(watch);
                    return slot -> latencyProbe.call(loadConnection.stub(), slot, watch);
                });
        length = length.plusNanos(System.nanoTime() - startedNanos);
        slice.errors().forEach((reason, count) -> errors.merge(reason, count, Long::sum));
        watches.forEach(watch -> latencies.add(watch.latencies()));
    }
}
