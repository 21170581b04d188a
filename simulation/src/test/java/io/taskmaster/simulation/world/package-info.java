/**
 * The machine room: virtual time and one source of chance ({@link io.taskmaster.simulation.world.World}), the processes in it with
 * their clocks and loops, and how bad it is ({@link io.taskmaster.simulation.world.Faults},
 * {@link io.taskmaster.simulation.world.Scenario}). Knows nothing of the other packages of the simulation.
 */
@NullMarked
package io.taskmaster.simulation.world;

import org.jspecify.annotations.NullMarked;
