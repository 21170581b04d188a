package io.taskmaster.simulation.world;

import java.util.SortedSet;

/** Whoever had a partition from one takeover to the next, as the judge needs to know him. Single-threaded. */
public interface Holder {

    String name();

    /** The time by which he acted first between two times. */
    long earliestMillis(long fromMicros, long toMicros);

    /** The time by which he acted last until then: for him, time does not go back. */
    long latestMillis(long micros);

    /** The times by which he acted, between two of them. */
    SortedSet<Long> activeMillis(long from, long to);

    /** When he last did anything. */
    long lastSeenMicros();
}
