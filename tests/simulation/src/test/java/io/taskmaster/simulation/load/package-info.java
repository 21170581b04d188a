/**
 * The requests of clients: random requests of the contract that interfere with each other and build on earlier replies;
 * and their recording for the oracle. Within the simulation it depends on {@code world} alone.
 */
@NullMarked
package io.taskmaster.simulation.load;

import org.jspecify.annotations.NullMarked;
