package io.taskmaster.server.health;

import java.util.OptionalLong;

/**
 * How well the store of a node is. Immutable.
 *
 * @param state {@code open}, {@code reopening} or {@code lost}
 * @param room what it has room for: {@code ample}, {@code low} or {@code none}
 * @param freeBytes of its disk, where it is on one
 * @param reopened how often it failed and was opened anew
 */
public record StoreHealth(String state, String room, OptionalLong freeBytes, long reopened) {}
