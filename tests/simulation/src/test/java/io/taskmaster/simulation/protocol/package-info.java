/** The protocol's model, run as a test. Depends on nothing of the simulation. */
@NullMarked
package io.taskmaster.simulation.protocol;

import org.jspecify.annotations.NullMarked;
