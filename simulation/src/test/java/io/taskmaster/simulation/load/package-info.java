/**
 * What clients ask: random requests of the contract that get in each other's way, by what clients were told; and the record of it
 * for the oracle. Of the simulation it depends on {@code world} alone.
 */
@NullMarked
package io.taskmaster.simulation.load;

import org.jspecify.annotations.NullMarked;
