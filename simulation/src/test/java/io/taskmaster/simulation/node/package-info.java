/**
 * Worlds of whole nodes, asked the contract over a network, judged by all judges. Begin with
 * {@link io.taskmaster.simulation.node.NodeSimulation}. Depends on {@code world}, {@code store}, {@code network}, {@code load} and
 * {@code judge}.
 */
@NullMarked
package io.taskmaster.simulation.node;

import org.jspecify.annotations.NullMarked;
