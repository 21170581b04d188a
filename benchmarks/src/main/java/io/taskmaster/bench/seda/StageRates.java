package io.taskmaster.bench.seda;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Throughputs by number of connections, each measured several times, alternating with the others. Single-threaded:
 * owned by the experiment.
 */
final class StageRates {

    private final SequencedMap<Integer, List<Double>> rates = new TreeMap<>();

    void add(int connections, double perSecond) {
        rates.computeIfAbsent(connections, _ -> new ArrayList<>()).add(perSecond);
    }

    List<Integer> connections() {
        return List.copyOf(rates.keySet());
    }

    /** The median of the runs with this number of connections. */
    double perSecond(int connections) {
        return median(measured(connections).stream().mapToDouble(Double::doubleValue));
    }

    /**
     * Returns the throughput relative to that of the best number of connections. It is the median over rounds: within a
     * round all numbers are measured shortly after each other, so that other load on the machine cancels out.
     */
    double ofBest(int connections) {
        int best = connections().stream()
                .reduce((a, b) -> perSecond(a) >= perSecond(b) ? a : b)
                .orElseThrow();
        return medianRatio(measured(connections), measured(best));
    }

    /**
     * Returns the throughput relative to another server's with the same number of connections: the median over the
     * rounds that both shared.
     */
    double relativeTo(StageRates others, int connections) {
        return medianRatio(measured(connections), others.measured(connections));
    }

    private List<Double> measured(int connections) {
        return requireNonNull(rates.get(connections), "it was measured");
    }

    /** Returns the median of the ratios of runs of the same round. */
    static double medianRatio(List<Double> of, List<Double> to) {
        return median(IntStream.range(0, of.size()).mapToDouble(i -> of.get(i) / to.get(i)));
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
