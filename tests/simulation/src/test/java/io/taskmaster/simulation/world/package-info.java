/**
 * The basis of the simulation: virtual time and one source of chance ({@link io.taskmaster.simulation.world.World}),
 * processes with their clocks and loops, and the faults of a run ({@link io.taskmaster.simulation.world.Faults},
 * {@link io.taskmaster.simulation.world.Scenario}). Depends on no other package of the simulation.
 */
@NullMarked
package io.taskmaster.simulation.world;

import org.jspecify.annotations.NullMarked;
