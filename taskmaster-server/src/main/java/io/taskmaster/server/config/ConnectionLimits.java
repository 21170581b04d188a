package io.taskmaster.server.config;

import java.util.OptionalInt;

/**
 * The limits on open connections of each port. Immutable.
 *
 * @param max the maximum number of connections; empty: as many as the limits of the process allow
 * @param maxPerAddress the maximum number of those from one address
 */
public record ConnectionLimits(OptionalInt max, int maxPerAddress) {

    static final int MAX = 1_000_000;
}
