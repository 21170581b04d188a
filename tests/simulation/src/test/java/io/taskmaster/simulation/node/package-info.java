/**
 * Runs of whole nodes, called through the contract over a network, with all checks. Begin with
 * {@link io.taskmaster.simulation.node.NodeSimulation}. Depends on {@code world}, {@code store}, {@code network},
 * {@code load} and {@code judge}.
 */
@NullMarked
package io.taskmaster.simulation.node;

import org.jspecify.annotations.NullMarked;
