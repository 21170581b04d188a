package io.taskmaster.stage.local;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds stages that would wait for each other when they are full. Pure. */
final class BlockingCircle {

    /** What an event's producer has to do with a stage. */
    enum Way {
        /** It is told at once what becomes of the event. */
        FREE,
        /** It handles the event, and whatever comes of it. */
        CALL,
        /** It waits for room. */
        BLOCK
    }

    /**
     * @param hasBoundary whether events wait there
     * @param way into it
     * @param next where its events go
     */
    record Place(boolean hasBoundary, Way way, Set<String> next) {}

    /** One that is not there, or not yet. */
    private static final Place NOWHERE = new Place(false, Way.FREE, Set.of());

    private final Map<String, Place> places;
    private final List<String> path = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    private BlockingCircle(Map<String, Place> places) {
        this.places = places;
    }

    /** A stage that blocks, and those through which it leads to itself without a free one between; empty: there is none. */
    static List<String> in(Map<String, Place> places) {
        for (Map.Entry<String, Place> place : places.entrySet()) {
            BlockingCircle circle = new BlockingCircle(places);
            if (place.getValue().way() == Way.BLOCK && circle.leads(place.getKey(), place.getKey())) {
                return circle.path;
            }
        }
        return List.of();
    }

    private boolean leads(String from, String goal) {
        path.add(from);
        for (String to : placeOf(from).next()) {
            if (to.equals(goal)) {
                path.add(goal);
                return true;
            }
            if (placeOf(to).way() != Way.FREE && seen.add(to) && leads(to, goal)) {
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
