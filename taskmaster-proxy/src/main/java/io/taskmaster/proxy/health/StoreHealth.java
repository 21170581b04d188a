package io.taskmaster.proxy.health;

import java.util.OptionalLong;

/**
 * The health of the store of a node. Immutable.
 *
 * @param state {@code open}, {@code reopening} or {@code lost}
 * @param freeSpace the requests that it has space for: {@code ample}, {@code low} or {@code none}
 * @param freeBytes the free bytes of its disk, if it is on one
 * @param reopened the number of times that it failed and was reopened
 */
public record StoreHealth(String state, String freeSpace, OptionalLong freeBytes, long reopened) {}
