package io.taskmaster.stage.local;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A search for stages that block in a circle, which would wait for each other when they are full. Pure. */
final class BlockingCycle {

    /** The effect of a stage on a producer that offers it an event. */
    enum Way {
        /** Returns at once: the event is queued or refused. */
        FREE,
        /** Handles the event on the producer's thread, and so offers further events there. */
        CALL,
        /** Makes the producer wait for credits. */
        BLOCK
    }

    /**
     * A stage as the search sees it. Immutable.
     *
     * @param hasBoundary whether events wait there
     * @param way the effect on its producers
     * @param next the names of the stages that it hands its events to
     */
    record Place(boolean hasBoundary, Way way, Set<String> next) {}

    /** A stage that is not there, or not yet. */
    private static final Place NOWHERE = new Place(false, Way.FREE, Set.of());

    private final Map<String, Place> places;
    private final List<String> path = new ArrayList<>();
    private final Set<String> visited = new HashSet<>();

    private BlockingCycle(Map<String, Place> places) {
        this.places = places;
    }

    /**
     * Returns a stage that blocks, followed by the stages through which it leads to itself without a {@code FREE} one
     * between; empty if there is none.
     */
    static List<String> in(Map<String, Place> places) {
        for (Map.Entry<String, Place> place : places.entrySet()) {
            BlockingCycle circle = new BlockingCycle(places);
            if (place.getValue().way() == Way.BLOCK && circle.isReachable(place.getKey(), place.getKey())) {
                return circle.path;
            }
        }
        return List.of();
    }

    private boolean isReachable(String from, String goal) {
        path.add(from);
        for (String to : placeOf(from).next()) {
            if (to.equals(goal)) {
                path.add(goal);
                return true;
            }
            // A stage that was searched in vain does not lead to the goal on another path either, so each is searched
            // once.
            if (placeOf(to).way() != Way.FREE && visited.add(to) && isReachable(to, goal)) {
                return true;
            }
        }
        path.removeLast();
        return false;
    }

    private Place placeOf(String stage) {
        return places.getOrDefault(stage, NOWHERE);
    }
}
