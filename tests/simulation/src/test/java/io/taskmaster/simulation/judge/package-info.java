/**
 * A check of the answers of one partition: {@link io.taskmaster.simulation.judge.Judge} compares its history with the
 * naive model. Within the simulation it depends on {@code world} alone. The other checks are the engine's own
 * invariants, and the oracle of the test kit.
 */
@NullMarked
package io.taskmaster.simulation.judge;

import org.jspecify.annotations.NullMarked;
