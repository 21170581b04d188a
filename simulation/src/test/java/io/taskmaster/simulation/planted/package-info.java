/**
 * The proof of the proof: bugs that are put into the server on purpose, and hunted in worlds of both kinds. Depends on
 * {@code partition} and {@code node}.
 */
@NullMarked
package io.taskmaster.simulation.planted;

import org.jspecify.annotations.NullMarked;
