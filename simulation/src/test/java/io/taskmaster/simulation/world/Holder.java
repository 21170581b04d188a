package io.taskmaster.simulation.world;

import java.util.SortedSet;

/** Whoever had a partition from one takeover to the next, as the judge needs to know him. Single-threaded. */
public interface Holder {

    String name();

    /** The least that his clock showed between two times. */
    long earliestMillis(long fromMicros, long toMicros);

    /** The most that his clock had shown until then: for him, time does not go back. */
    long latestMillis(long micros);

    /** What his clock showed, between two times of it, whenever he did something. */
    SortedSet<Long> activeMillis(long from, long to);

    /** When he last did anything. */
    long lastSeenMicros();
}
