/**
 * Partitions at work, and the node that owns them. A partition runs on one loop; its parts, from the bottom up:
 *
 * <ul>
 *   <li>{@code loop}: the loop, its ticks and clocks;
 *   <li>{@code log}, {@code claim}, {@code fair}: the commit log, the claim on the store, and fair queues;
 *   <li>{@code budget}, {@code context}: memory, settings and meters;
 *   <li>{@code commit}: requests, the journal, replies that wait for it;
 *   <li>{@code admit}, {@code read}, {@code flush}: admission control, reads, and flush rounds;
 *   <li>{@code execute}: the decisions.
 * </ul>
 *
 * No package depends on one above it.
 */
@NullMarked
package io.taskmaster.server.partition;

import org.jspecify.annotations.NullMarked;
