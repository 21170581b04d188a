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
    private final Map<K, FlowHistory> kept = new HashMap<>();

    private final boolean absentMakeRoom;

    /** The names that were reported at the last step. */
    private Set<K> present = Set.of();

    /**
     * Creates an empty set of histories.
     *
     * @param max the maximum number of histories
     * @param isPreferred whether a name has priority over all others, however little its activity
     * @param absentMakeRoom whether names that a step does not report are gone for good, and may be evicted by any
     *     other
     */
    Histories(int max, Predicate<K> isPreferred, boolean absentMakeRoom) {
        this.max = max;
        this.absentMakeRoom = absentMakeRoom;
        this.isPreferred = isPreferred;
    }

    /**
     * Adds a step.
     *
     * @param points the points of all reported names
     * @param idle the point of names that have a history and are not reported
     */
    void add(Map<K, Point> points, Point idle) {
        kept.forEach((name, flowHistory) -> flowHistory.add(points.getOrDefault(name, idle)));
        present = Set.copyOf(points.keySet());
        points.entrySet().stream()
                .filter(entry -> !kept.containsKey(entry.getKey()))
                .map(entry -> new Candidate<>(entry.getKey(), isPreferred.test(entry.getKey()), entry.getValue()))
                .sorted(Comparator.<Candidate<K>, Boolean>comparing(Candidate::isPreferred)
                        .thenComparingLong(candidate -> candidate.point.deeds())
                        .reversed())
                .takeWhile(this::makeRoomFor)
                .forEach(this::begin);
    }

    private void begin(Candidate<K> candidate) {
        FlowHistory flowHistory = new FlowHistory();
        flowHistory.add(candidate.point);
        kept.put(candidate.name, flowHistory);
    }

    private boolean makeRoomFor(Candidate<K> candidate) {
        if (kept.size() < max) {
            return true;
        }
        Optional<K> outdone = kept.keySet().stream()
                .min(Comparator.<K, Boolean>comparing(name -> !isGone(name))
                        .thenComparing(isPreferred::test)
                        .thenComparingDouble(this::weight))
                .filter(idlest -> givesWay(idlest, candidate));
        outdone.ifPresent(kept::remove);
        return outdone.isPresent();
    }

    private boolean givesWay(K idlest, Candidate<K> candidate) {
        if (isGone(idlest)) {
            return true;
        }
        return isPreferred.test(idlest) == candidate.isPreferred
                ? (double) candidate.point.deeds() > BUSIER * weight(idlest)
                : candidate.isPreferred;
    }

    private boolean isGone(K name) {
        return absentMakeRoom && !present.contains(name);
    }

    private double weight(K name) {
        FlowHistory flowHistory = kept.get(name);
        return flowHistory == null ? 0 : flowHistory.weight();
    }

    /** The names that have a history. */
    Set<K> names() {
        return Set.copyOf(kept.keySet());
    }

    /** Returns the standings of the names that have a history and are not gone. */
    Map<K, FlowSummary> standings() {
        Map<K, FlowSummary> standings = new HashMap<>();
        kept.forEach((name, flowHistory) -> flowHistory
                .standing()
                .filter(_ -> !isGone(name))
                .ifPresent(flowSummary -> standings.put(name, flowSummary)));
        return standings;
    }

    /** Returns the points of a name; empty if it has no history. */
    Optional<List<Point>> points(K name, Resolution resolution) {
        return Optional.ofNullable(kept.get(name)).map(flowHistory -> flowHistory.points(resolution));
    }
}
