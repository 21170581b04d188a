/**
 * Worlds of one partition, asked commands: up to four owners at once on one store, judged. Begin with
 * {@link io.taskmaster.simulation.partition.PartitionSimulation}. Depends on {@code world}, {@code store} and {@code judge}.
 */
@NullMarked
package io.taskmaster.simulation.partition;

import org.jspecify.annotations.NullMarked;
