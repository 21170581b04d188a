/**
 * The placement of partitions on nodes: an immutable map with a version for each entry, and a pure function from what a
 * controller sees to its next map. Used for the partitions of the task queue and for the shards of a computation alike:
 * ids are numbers, loads are numbers, and safety does not depend on any of it.
 *
 * <p>{@link io.taskmaster.placement.Placement} decides; {@link io.taskmaster.placement.Situation} is what it decides
 * on, {@link io.taskmaster.placement.PlacementPolicy} holds the bounds, and
 * {@link io.taskmaster.placement.PlacementDecision} the result, with a reason for each move. Without threads, clocks
 * and stores: time is an argument.
 */
@NullMarked
package io.taskmaster.placement;

import org.jspecify.annotations.NullMarked;
