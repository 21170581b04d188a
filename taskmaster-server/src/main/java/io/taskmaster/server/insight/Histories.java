package io.taskmaster.server.insight;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The histories of the busiest families, or of the busiest queues. An entry keeps its history until another is twice as
 * busy as it was in the last minutes, so that two of similar activity do not evict each other alternately and both lose
 * their history. Memory is bounded, whatever the number of names. Single-threaded: owned by the {@link Recorder}.
 *
 * <p>Eviction at each step, if all places are taken and names without a history are reported:
 *
 * <ol>
 *   <li>Candidates come in order of preference, then of activity in this step.
 *   <li>The victim is the one that is absent, if the absent are evicted; then one that is not preferred; then the one
 *       of least weight.
 *   <li>It is evicted if it is absent, if only the candidate is preferred, or if both or neither are and the candidate
 *       is more than {@link #BUSIER} times as active.
 *   <li>The first candidate that evicts none ends the step, since no later one has a better claim.
 * </ol>
 *
 * @param <K> the names
 */
final class Histories<K> {

    /** The factor by which a candidate must be busier than the one that it evicts. */
    private static final double BUSIER = 2;

    /** A name without a history. */
    private record Candidate<K>(K name, boolean isPreferred, Point point) {}

    private final int max;
    private final Predicate<K> isPreferred;
    private final Map<K, FlowHistory> histories = new HashMap<>();

    private final boolean evictAbsent;

    /** The names that were reported at the last step. */
    private Set<K> present = Set.of();

    /**
     * Creates an empty set of histories.
     *
     * @param max the maximum number of histories
     * @param isPreferred whether a name has priority over all others, however little its activity
     * @param evictAbsent whether names that a step does not report are gone for good, and may be evicted by any other
     */
    Histories(int max, Predicate<K> isPreferred, boolean evictAbsent) {
        this.max = max;
        this.evictAbsent = evictAbsent;
        this.isPreferred = isPreferred;
    }

    /**
     * Adds a step.
     *
     * @param points the points of all reported names
     * @param idle the point of names that have a history and are not reported
     */
    void add(Map<K, Point> points, Point idle) {
        histories.forEach((name, flowHistory) -> flowHistory.add(points.getOrDefault(name, idle)));
        present = Set.copyOf(points.keySet());
        points.entrySet().stream()
                .filter(entry -> !histories.containsKey(entry.getKey()))
                .map(entry -> new Candidate<>(entry.getKey(), isPreferred.test(entry.getKey()), entry.getValue()))
                .sorted(Comparator.<Candidate<K>, Boolean>comparing(Candidate::isPreferred)
                        .thenComparingLong(candidate -> candidate.point.operations())
                        .reversed())
                .takeWhile(this::evictFor)
                .forEach(this::begin);
    }

    private void begin(Candidate<K> candidate) {
        FlowHistory flowHistory = new FlowHistory();
        flowHistory.add(candidate.point);
        histories.put(candidate.name, flowHistory);
    }

    private boolean evictFor(Candidate<K> candidate) {
        if (histories.size() < max) {
            return true;
        }
        Optional<K> outdone = histories.keySet().stream()
                .min(Comparator.<K, Boolean>comparing(name -> !isAbsent(name))
                        .thenComparing(isPreferred::test)
                        .thenComparingDouble(this::weight))
                .filter(idlest -> isEvictable(idlest, candidate));
        outdone.ifPresent(histories::remove);
        return outdone.isPresent();
    }

    private boolean isEvictable(K idlest, Candidate<K> candidate) {
        if (isAbsent(idlest)) {
            return true;
        }
        return isPreferred.test(idlest) == candidate.isPreferred
                ? (double) candidate.point.operations() > BUSIER * weight(idlest)
                : candidate.isPreferred;
    }

    private boolean isAbsent(K name) {
        return evictAbsent && !present.contains(name);
    }

    private double weight(K name) {
        FlowHistory flowHistory = histories.get(name);
        return flowHistory == null ? 0 : flowHistory.weight();
    }

    /** The names that have a history. */
    Set<K> names() {
        return Set.copyOf(histories.keySet());
    }

    /** Returns the standings of the names that have a history and are not gone. */
    Map<K, FlowSummary> summaries() {
        Map<K, FlowSummary> summaries = new HashMap<>();
        histories.forEach((name, flowHistory) -> flowHistory
                .standing()
                .filter(_ -> !isAbsent(name))
                .ifPresent(flowSummary -> summaries.put(name, flowSummary)));
        return summaries;
    }

    /** Returns the points of a name; empty if it has no history. */
    Optional<List<Point>> points(K name, Resolution resolution) {
        return Optional.ofNullable(histories.get(name)).map(flowHistory -> flowHistory.points(resolution));
    }
}
