/**
 * The test of the simulation itself: bugs that are planted in the server on purpose, and hunted in runs of both kinds.
 * Depends on {@code partition} and {@code node}.
 */
@NullMarked
package io.taskmaster.simulation.planted;

import org.jspecify.annotations.NullMarked;
