/**
 * Runs of one partition, called with commands: up to four owners at once on one store, and a check of the history.
 * Begin with {@link io.taskmaster.simulation.partition.PartitionSimulation}. Depends on {@code world}, {@code store}
 * and {@code judge}.
 */
@NullMarked
package io.taskmaster.simulation.partition;

import org.jspecify.annotations.NullMarked;
