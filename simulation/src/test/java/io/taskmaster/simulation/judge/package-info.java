/**
 * Whether what one partition answered can be: {@link io.taskmaster.simulation.judge.Judge} holds its history to the naive model. Of the
 * simulation it depends on {@code world} alone. The other judges are the engine's own invariants, and the oracle of the test kit.
 */
@NullMarked
package io.taskmaster.simulation.judge;

import org.jspecify.annotations.NullMarked;
