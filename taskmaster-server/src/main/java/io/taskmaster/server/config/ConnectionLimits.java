package io.taskmaster.server.config;

import java.util.OptionalInt;

/**
 * How many connections each port may have open. Immutable.
 *
 * @param max empty: as many as suit the process
 * @param maxPerAddress of those, from one address
 */
public record ConnectionLimits(OptionalInt max, int maxPerAddress) {

    static final int MAX = 1_000_000;
}
