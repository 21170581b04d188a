package io.taskmaster.simulation.world;

import java.util.SortedSet;

/**
 * An owner of a partition from one takeover to the next, as the check of histories sees it. Single-threaded: owned by
 * the simulation.
 */
public interface Holder {

    String name();

    /** The owner's clock at its first action between two times. */
    long earliestMillis(long fromMicros, long toMicros);

    /** The owner's clock at its last action until a time; for one owner, time never goes back. */
    long latestMillis(long micros);

    /** The readings of the owner's clock at its actions, between two readings. */
    SortedSet<Long> activeMillis(long from, long to);

    /** The time of its last action. */
    long lastSeenMicros();
}
