package io.taskmaster.server.insight;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The histories of those among which most goes on: families, or queues. Whoever has one keeps it until others are twice as busy as it was in the last minutes, so that two
 * of a kind do not take turns and lose both. Memory is bounded, however many there are. Single-threaded: owned by the {@link Recorder}.
 *
 * @param <K> their names
 */
final class Histories<K> {

    /** So many times as busy is who takes the place of another. */
    private static final double BUSIER = 2;

    /** Somebody who has none. */
    private record Candidate<K>(K name, boolean isPreferred, Point point) {}

    private final int max;
    private final Predicate<K> isPreferred;
    private final Map<K, History> kept = new HashMap<>();

    private final boolean absentMakeRoom;

    /** Those of which something was known at the last step. */
    private Set<K> present = Set.of();

    /**
     * @param max how many histories there may be
     * @param isPreferred who comes before all others, however little goes on there
     * @param absentMakeRoom whether those of which nothing is known at a step are gone for good, and give their place to any other
     */
    Histories(int max, Predicate<K> isPreferred, boolean absentMakeRoom) {
        this.max = max;
        this.absentMakeRoom = absentMakeRoom;
        this.isPreferred = isPreferred;
    }

    /**
     * One step has passed.
     *
     * @param points of all that something is known of
     * @param idle of those of whom nothing is known, if they are kept
     */
    void add(Map<K, Point> points, Point idle) {
        kept.forEach((name, history) -> history.add(points.getOrDefault(name, idle)));
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
        History history = new History();
        history.add(candidate.point);
        kept.put(candidate.name, history);
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
        History history = kept.get(name);
        return history == null ? 0 : history.weight();
    }

    /** Who has one. */
    Set<K> names() {
        return Set.copyOf(kept.keySet());
    }

    /** What is known of those that have one, and are not gone. */
    Map<K, Standing> standings() {
        Map<K, Standing> standings = new HashMap<>();
        kept.forEach((name, history) ->
                history.standing().filter(_ -> !isGone(name)).ifPresent(standing -> standings.put(name, standing)));
        return standings;
    }

    /** Empty: nobody has one by that name. */
    Optional<List<Point>> points(K name, Resolution resolution) {
        return Optional.ofNullable(kept.get(name)).map(history -> history.points(resolution));
    }
}
